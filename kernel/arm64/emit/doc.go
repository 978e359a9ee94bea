// SPDX-License-Identifier: Apache-2.0

// Package emit makes arm64 code of vector programs: the operations by the rules in rules.txt, and by functions where an
// operation depends on numbers of its own, as memory does.
//
// The code is entered with the call block in X0: words that [vector.Arg] reads, and behind them room for values that
// registers do not hold; both take the bytes that [vector.Machine.BlockBytes] returns.
package emit
