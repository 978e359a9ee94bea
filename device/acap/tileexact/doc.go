// SPDX-License-Identifier: Apache-2.0

// Package tileexact runs a device program with data: tile by tile, buffer by
// buffer, descriptor by descriptor.
//
// Results of the array come from native kernels over the whole problem, and time
// from the program. Nothing in that notices a program that would compute the
// wrong thing. A walk here does: host arrays are laid out as the program expects,
// every DMA descriptor moves the bytes that its pattern names from buffer to
// buffer, cores compute on what lies in their tile memory and nowhere else, and
// what the last descriptors write outside is compared with the native result: bit
// for bit for integers, within rounding for floats. Events are in the order of package event, so locks protect data or
// fail to.
//
//	c := &tileexact.Checker{Machine: m, Native: native.Compile}
//	engine.Compile(f, engine.Options{Backend: c.Backend})  // run it, then
//	c.Kernels   // the verdict on every kernel
//
// It is an error when a core or a DMA reads a byte that nobody wrote, when an
// access leaves its buffer, when the program does not come to rest, or when an
// element of the result was never written. [event.FlipBit] flips a bit on the way.
//
// Carried are contractions, convolutions, attention, pointwise bodies, normalizations,
// scans, sorts, scatters, random bits and moves, with indices in bodies, gathers from
// tables of any size, and rows that no core can hold. [Result].Skipped says what the program form does not carry, with
// the reason.
//
// The bound on floats is the bound of a sum in another order. Where a kernel is ill-conditioned, it is how far the
// native result moves when the inputs move by a unit of rounding.
package tileexact
