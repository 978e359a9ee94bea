// SPDX-License-Identifier: Apache-2.0

// Package modelfile reads models, the inputs that lie beside them, and their kernels, by the names
// of their files.
package modelfile
