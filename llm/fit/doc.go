// SPDX-License-Identifier: Apache-2.0

// Package fit estimates, before a model is loaded, whether the model fits in memory, what takes the memory, and how
// long the model takes on a machine.
//
//	r, err := fit.Model("model.gguf", fit.Options{Memory: 8 << 30, Length: 4096, Machine: npu2})
//	r.Fits, r.Needs, r.Longest
//	fmt.Print(r)
//
// Of a language model the headers of its files are read, which takes milliseconds. Weights and the cache of keys and
// values are counted to the byte; values between kernels are those of the passes that fill the context, and code is an
// estimate. Models of other kinds are imported and compiled for the host without being run; their memory is the
// compiler's plan.
//
// Times and energies on a machine come from package account for language models, which maps kernels in about a second,
// and from the report for other models. A test keeps a model small by package fittest.
package fit
