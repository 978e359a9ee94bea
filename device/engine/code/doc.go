// SPDX-License-Identifier: Apache-2.0

// Package code has the machine code of kernels, once for all programs that run now: the layers of a model and the steps
// of a loop share theirs.
package code
