package device

import "github.com/go-acap/acap/base/buf"

// Packed counts what a program has computed from constant inputs alone, such as weights: operands in the forms that
// kernels read, and results of kernels that run once. The program computes them once for each set of constants.
type Packed struct {
	Times    int64 // that it has done so
	Operands int64 // of kernels that were packed
	Bytes    int64 // of both
	Input    int   // that was another one than in the run before, the last time; -1 if that is not known
}

// Packs is an executable that tells what it has packed.
type Packs interface {
	Executable
	// TakePacked returns what has been packed since the last call of any handle of the program.
	TakePacked() Packed
	// Binds reports whether a run with these inputs has nothing to pack. Otherwise input is the first one that is
	// another than in the last run, or -1.
	Binds(inputs []*buf.Buffer) (bound bool, input int)
}
