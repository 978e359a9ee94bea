// SPDX-License-Identifier: Apache-2.0

// Package code shares the machine code of equal kernels among all programs in use: the equal layers of a model and the
// steps of a loop have one copy.
package code
