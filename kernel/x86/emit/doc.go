// SPDX-License-Identifier: Apache-2.0

// Package emit translates vector programs to x86-64 code with AVX2 or AVX-512. The rules in rules.txt translate most
// operations. Functions translate operations whose code depends on numbers in the operation, such as accesses to
// memory. With AVX-512 masks are in registers of their own, with AVX2 masks are vectors.
//
// The code is entered with the call block in RDI: words that [vector.Arg] reads, and behind them room for values that
// registers do not hold.
package emit
