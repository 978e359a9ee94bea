// SPDX-License-Identifier: Apache-2.0

// Package emit translates vector programs to arm64 code. The rules in rules.txt translate most operations. Functions
// translate operations whose code depends on numbers in the operation, such as accesses to memory.
//
// The code is entered with the call block in X0: words that [vector.Arg] reads, and behind them room for values that
// registers do not hold; both take the bytes that [vector.Machine.BlockBytes] returns.
package emit
