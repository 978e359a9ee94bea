// SPDX-License-Identifier: Apache-2.0

// Package lazytest lets tests say what a lazy program may cost: how often it compiles, how
// many kernels it runs, what memory it takes, that it has no hidden barrier, and what its
// MLIR is. A change that makes a program slower then fails a test instead of being found
// later.
//
//	func TestStep(t *testing.T) {
//		lazytest.Compiles(t, dev, 1, func() {
//			for range 100 {
//				step()
//			}
//		})
//	}
//
// Failures name the reasons: the lines and differences of [lazy.WhyRecompiled], the kernels
// of [lazy.Explain].
package lazytest
