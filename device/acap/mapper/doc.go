// Package mapper lays kernels over an array.
package mapper
