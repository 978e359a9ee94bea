package main

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// takesComplex reports whether an operator computes its first sample with complex
// tensors in the place of float32.
func takesComplex(op *ops.Op) bool {
	sample := append(ops.Sample{}, op.Samples()[0]...)
	for i, a := range sample {
		if t, ok := a.(ops.T); ok && t.DType == dtype.F32 {
			t.DType = dtype.C64
			sample[i] = t
		}
	}
	c, err := op.NewCall(sample.Args(rand.New(rand.NewPCG(1, 2)))...)
	return err == nil && (op.Lower != nil && c.Expansion() != nil || op.Host != nil && op.Complex)
}
