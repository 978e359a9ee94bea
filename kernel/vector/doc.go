// SPDX-License-Identifier: Apache-2.0

// Package vector is an intermediate representation of vector code, between kernels and the instructions of a processor.
//
// A [Program] is operations in static single assignment form, in blocks: the body, and the body of each loop. Variables
// alone are set again and again: sums of products, which stay in registers through several levels of loops. All its
// vectors have the same number of lanes, whatever their elements are, so a vector of f64 is twice as long as one of f32
// and a conversion changes no place. A mask is a vector of integers whose lanes are 0 or -1. Addresses and counts are
// words. A loop counts from 0, and carries values from turn to turn. A body that is repeated is a loop whose turns stand
// in the code one behind the other.
//
//	program "sum" lanes=4 {
//	  %0 = arg word imm=0
//	  %1 = arg word imm=1
//	  %2 = const f32 imm=0x0
//	  %3 = loop %4 to %1 step 16 carry %5:f32=%2 {
//	    %6 = wadd word %0 %4
//	    %7 = load f32 %6
//	    %8 = add f32 %5 %7
//	    yield %8
//	  }
//	  %9 = arg word imm=2
//	  store f32 %9 %3
//	}
//
// A program prints as text that [Parse] reads, and [Verify] says whether it means something. [Program.Optimise] takes
// what does not change out of loops and drops what nothing needs. [Allocate] gives every value a register of a
// [Target] or a place in memory; the target's rules make instructions of the rest.
package vector
