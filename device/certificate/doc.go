// SPDX-License-Identifier: Apache-2.0

// Package certificate says which bits a program computes, kernel by kernel, so that another machine can check its own
// bits against them. Programs are compiled with [device.Config.WithReproducible]. A digest covers the elements that a
// kernel writes, in the order of the kernel's loops, and no other bytes.
package certificate
