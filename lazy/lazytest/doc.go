// SPDX-License-Identifier: Apache-2.0

// Package lazytest lets tests bound the cost of a lazy program: its compilations, its kernels, its memory and its
// barriers. A test can also compare the MLIR of the program. So a change that makes a program slower fails a test.
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
