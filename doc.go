// SPDX-License-Identifier: Apache-2.0

// Package acap is the root of the module: a lazy-tensor runtime with a simulated
// tiled accelerator inside.
//
// Programs import package tensor for tensors and their operators, package lazy
// for what is pending, and package device/acap for the array:
//
//	x := tensor.Randn(1, 2, 3).To(acap.Device())
//	y := x.Add(x)
//	fmt.Println(lazy.GetMLIR(y)) // recorded, not run
//	fmt.Println(y)               // compiled and run
//
// The README shows what it does; RATIONALE.md says why it is built as it is.
package acap
