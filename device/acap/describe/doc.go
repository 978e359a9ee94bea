// Package describe turns native kernels into the descriptions that the mapper
// takes: what a kernel must do on the array, whatever code computes it here.
package describe
