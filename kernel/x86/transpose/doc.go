// Package transpose emits the transposition of a square of elements held in vector registers.
package transpose
