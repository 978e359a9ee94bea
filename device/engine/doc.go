// Package engine compiles the linalg form of a program, a func.func on tensors of
// static shapes, to native kernels and runs it.
package engine
