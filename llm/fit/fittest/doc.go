// SPDX-License-Identifier: Apache-2.0

// Package fittest fails tests of models that have grown beyond the memory that they are to run in.
//
//	func TestFits(t *testing.T) {
//		fittest.Fits(t, "testdata/model.gguf", "8G", fit.Options{Length: 4096})
//	}
package fittest
