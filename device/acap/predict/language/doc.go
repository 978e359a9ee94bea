// SPDX-License-Identifier: Apache-2.0

// Package language compares the time model with published measurements of whole language models: times of programs, of
// the array, of the host's clock and of a token, and watts of the array.
//
// [Read] reads rows of a CSV file. [Rows] predicts them: a model is programs of launches (package schedule), made as
// the measured programs were made, of kernels in the mappings of package published. A stack that keeps a model on the
// array runs one program for a token, which [Defaults.Token] tells.
//
// The absolute error on 27 rows of mlir-air has a median of 2.6 % and a mean of 4.6 %; with constants that were fitted
// to the rows of the other models 4.4 % and 7.0 %.
package language
