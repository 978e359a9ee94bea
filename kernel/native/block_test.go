package native

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestBlocks compares a nest over blocks of an image, which reads the indices of four short loops, with the interpreter.
func TestBlocks(t *testing.T) {
	b := kernel.NewBody()
	row := b.Binary(kernel.Add, b.Binary(kernel.Mul, b.Index(0), b.Const(dtype.I64, 3)), b.Index(1))
	col := b.Binary(kernel.Add, b.Binary(kernel.Mul, b.Index(2), b.Const(dtype.I64, 2)), b.Index(3))
	at := b.Binary(kernel.Add, b.Binary(kernel.Mul, row, b.Const(dtype.I64, 14)), col)
	b.Store(1, b.Select(b.Binary(kernel.Eq, b.Load(0, dtype.I64), at), b.Cast(dtype.F32, at), b.Const(dtype.F32, -1)))
	n := &kernel.Nest{Name: "blocks", Outer: []int{5, 3, 7, 2}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.I64, Len: 210}, Outer: []int{42, 14, 2, 1}},
			{Port: kernel.Port{DType: dtype.F32, Len: 210, Write: true}, Outer: []int{42, 14, 2, 1}},
		}}
	for _, f := range runnable() {
		code, err := CompileFor(n, f)
		require.NoError(t, err)
		require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(5, 5)), n, code, 0))
	}
}
