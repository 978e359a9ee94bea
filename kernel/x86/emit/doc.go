// SPDX-License-Identifier: Apache-2.0

// Package emit makes x86-64 code of vector programs, with AVX2 or AVX-512: the operations by the rules in rules.txt, and
// by functions where an operation depends on numbers of its own, as memory does. With AVX-512 masks are in registers of
// their own, with AVX2 they are vectors.
//
// The code is entered with the call block in RDI: words that [vector.Arg] reads, and behind them room for values that
// registers do not hold.
package emit
