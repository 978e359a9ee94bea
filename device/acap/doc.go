// SPDX-License-Identifier: Apache-2.0

// Package acap is the simulated accelerator: a device that computes with native
// kernels and accounts for what a tiled array of AI Engines would have done.
//
//	x := tensor.Randn(64, 784).To(acap.Device())
//
// [Device] is the default array, npu1; [Open] takes another preset or a machine
// file. Time never touches data: results come from the same kernels as on the
// host, and time comes from the mapping of every kernel onto the machine.
package acap
