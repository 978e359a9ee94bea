package nest_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/schedule"
)

// TestSoftmaxNaN sets one element of some rows to NaN or +Inf, which makes all of
// the row NaN and leaves the others alone.
func TestSoftmaxNaN(t *testing.T) {
	const rows = 7
	for _, f := range kerneltest.LevelsHere(t) {
		for _, cols := range []int{1, 16, 33, 130} {
			n := softmaxNest(rows, cols)
			code, err := compile(n, f)
			require.NoError(t, err)
			for col := range cols {
				for _, special := range []float64{math.NaN(), math.Inf(1), math.Copysign(math.NaN(), -1)} {
					x, y := make([]float32, rows*cols), make([]float32, rows*cols)
					for r := 1; r < rows; r += 3 {
						x[r*cols+col] = float32(special)
					}
					ptr := []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}
					args := kernel.Args{Ptr: ptr, Scratch: kerneltest.Aligned(code.Scratch())}
					code.Run(&args, 0, code.Units())
					for i, v := range y {
						nan := i/cols%3 == 1
						if nan != (v != v) || !nan && math.Abs(float64(v)*float64(cols)-1) > 1e-6 {
							t.Fatalf("%v: %d columns, %g in column %d: %g at %d",
								f.Level, cols, special, col, v, i)
						}
					}
				}
			}
			code.Close()
		}
	}
}

// TestAbsorbed tries variants of softmax that need or do not need the maximum to be
// NaN.
func TestAbsorbed(t *testing.T) {
	store := func(s *kernel.Stage, value func(b *kernel.Builder) int) {
		b := kernel.NewBody()
		b.Store(1, value(b))
		s.Body = b.Body()
	}
	for _, c := range []struct {
		name   string
		change func(n *kernel.Nest)
		want   bool
	}{
		{"softmax", func(*kernel.Nest) {}, true},
		{"log softmax", func(n *kernel.Nest) {
			store(&n.Stages[2], func(b *kernel.Builder) int {
				d := b.Binary(kernel.Sub, b.Load(0, dtype.F32), b.Acc(0, 0, dtype.F32))
				return b.Binary(kernel.Sub, d, b.Unary(kernel.Log, b.Acc(1, 0, dtype.F32)))
			})
		}, true},
		{"the sum is not used", func(n *kernel.Nest) {
			store(&n.Stages[2], func(b *kernel.Builder) int { return b.Kept(1, 0, dtype.F32) })
		}, false},
		{"the maximum is stored", func(n *kernel.Nest) {
			store(&n.Stages[2], func(b *kernel.Builder) int { return b.Acc(0, 0, dtype.F32) })
		}, false},
		{"another sum", func(n *kernel.Nest) {
			n.Stages[1].Reduce[0].Kind = kernel.ReduceMaxNum
		}, false},
		{"a sum of something else", func(n *kernel.Nest) {
			b := kernel.NewBody()
			b.Unary(kernel.Exp, b.Acc(0, 0, dtype.F32))
			n.Stages[1] = kernel.Stage{Body: b.Body(), Keep: []int{1},
				Reduce: []kernel.Reduction{{Value: 1, Type: dtype.F32}}}
		}, false},
		{"the input is overwritten", func(n *kernel.Nest) {
			n.Stages = append(n.Stages[:1:1], append([]kernel.Stage{{}}, n.Stages[1:]...)...)
			store(&n.Stages[1], func(b *kernel.Builder) int { return b.Const(dtype.F32, 1) })
		}, false},
	} {
		n := softmaxNest(2, 16)
		c.change(n)
		loops := schedule.Loops{Nest: n}
		require.Equal(t, c.want, loops.Absorbed(0, 0), c.name)
	}
}
