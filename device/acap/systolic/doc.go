// SPDX-License-Identifier: Apache-2.0

// Package systolic counts the cycles of a product on a systolic array with three scratchpads, as SCALE-Sim counts them:
// the cycles in which cells compute, and the cycles for which all cells wait because an operand is not there yet or a
// result has no space.
//
//	p := systolic.Product{Flow: machine.OutputStationary, Rows: 32, Cols: 32, M: 256, K: 256, N: 128,
//		Input: 64 << 10, Filter: 64 << 10, Output: 64 << 10, Words: 10}
//	c, err := p.Count()
//	c.Total, c.Stalls
//
// Each scratchpad for an operand has two halves: cells read one while the other is filled with what comes next in the
// order of the first reads. An operand that does not fit is read again for every fold of the array. A hundredth of a
// scratchpad is filled at once. The scratchpad of results is emptied by halves, too; where an operand is stationary
// each fold writes its partial sums. Each scratchpad moves a fixed number of words a cycle.
//
// Cycles agree with SCALE-Sim 3 to the last one, and its odd rules are kept: a fill that is late stops the cells twice
// as long as it is late. Every line of demands, a cycle without stalls, is walked; a product of more than 2^28 lines is
// an error.
//
// A convolution says in [Product.Image] what its product is made of. Where the scratchpad holds an element as part of
// another window, cells need not wait for it, as in SCALE-Sim.
package systolic
