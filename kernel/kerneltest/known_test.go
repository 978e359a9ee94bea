package kerneltest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestKnown: results that are known are those of the kernel and its inputs, not of the same kernel on other inputs or of
// another kernel on the same ones.
func TestKnown(t *testing.T) {
	const n = 5
	nest := func(op kernel.Op) *kernel.Nest {
		b := kernel.NewBody()
		b.Store(1, b.Binary(op, b.Load(0, dtype.F32), b.Const(dtype.F32, 2)))
		at := []int{1}
		return &kernel.Nest{Name: "k", Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}}, Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Len: n}, Outer: at}, {Port: kernel.Port{DType: dtype.F32, Len: n, Write: true}, Outer: at}}}
	}
	for range 2 {
		for _, x := range []float64{3, 4} {
			for op, want := range map[kernel.Op]float64{kernel.Add: x + 2, kernel.Mul: x * 2} {
				ports := []Buffer{NewBuffer(dtype.F32, n), NewBuffer(dtype.F32, n)}
				for i := range n {
					ports[0].Set(i, Value{F: x})
				}
				fault, errors := reference(nest(op), ports)
				require.False(t, fault)
				require.NotNil(t, errors)
				for i := range n {
					require.Equal(t, want, ports[1].Get(i).F)
				}
			}
		}
	}
	require.Len(t, known.results, 4)
}
