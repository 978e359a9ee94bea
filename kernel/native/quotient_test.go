package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestQuotientsInFixedOrder: quotients of rows by a number of the row, and by a constant, are Go's float32 quotients in
// a fixed order, also where they are as close to the middle of two floats as quotients come.
func TestQuotientsInFixedOrder(t *testing.T) {
	const rows, columns = 1000, 48
	r := rand.New(rand.NewPCG(1, 2))
	x, by := make([]float32, rows*columns), make([]float32, rows)
	for row := range rows {
		a, d := closeToMiddle(r)
		by[row] = d
		for i := range columns {
			x[row*columns+i] = a
		}
	}
	for _, f := range runnable() {
		b := kernel.NewBody()
		b.Store(2, b.Binary(kernel.Div, b.Load(0, dtype.F32), b.Load(1, dtype.F32)))
		whole := port{dtype.F32, len(x), []int{columns, 1}}
		n := nestOf([]int{rows, columns}, nil, []port{whole, {dtype.F32, rows, []int{1, 0}}, whole}, kernel.Stage{Body: b.Body()})
		for i, have := range inFixedOrder(t, n, f, x, by) {
			require.Equal(t, x[i]/by[i/columns], have, "%v: %v / %v", f.Level, x[i], by[i/columns])
		}
		for row, d := range by[:rows/5] {
			n := chain(columns, 1, dtype.F32, func(b *kernel.Builder, x []int) int {
				return b.Binary(kernel.Div, x[0], b.Const(dtype.F32, float64(d)))
			})
			a := x[row*columns:][:columns]
			require.Equal(t, a[0]/d, inFixedOrder(t, n, f, a)[0], "%v: %v / constant %v", f.Level, a[0], d)
		}
	}
}

// inFixedOrder runs a nest on f32 in the fixed order.
func inFixedOrder(t *testing.T, n *kernel.Nest, f cpu.Features, operands ...[]float32) []float32 {
	code, err := CompileFor(n, f.InFixedOrder())
	require.NoError(t, err)
	defer code.Close()
	args := &kernel.Args{Scratch: kerneltest.Aligned(code.Scratch())}
	for i, a := range n.Access {
		args.Ptr = append(args.Ptr, kerneltest.Aligned(4*a.Len))
		if i < len(operands) {
			copy(unsafe.Slice((*float32)(args.Ptr[i]), a.Len), operands[i])
		}
	}
	code.Run(args, 0, code.Units())
	last := len(n.Access) - 1
	return unsafe.Slice((*float32)(args.Ptr[last]), n.Access[last].Len)
}

// closeToMiddle returns integers below 2²⁴ for which a·2²⁵ is one more or one less than the product of d and an odd
// number of 25 bits: a/d is next to the middle of two floats.
func closeToMiddle(r *rand.Rand) (a, d float32) {
	for {
		n := 1<<23 + r.Uint64N(1<<22)*2 + 1
		inverse := n // modulo 2²⁵, by Newton's method
		for range 4 {
			inverse *= 2 - n*inverse
		}
		middle := inverse % (1 << 25) // middle·n is 1 modulo 2²⁵
		if middle >= 1<<24 {
			return float32((middle*n - 1) >> 25), float32(n)
		}
		middle = 1<<25 - middle // middle·n is -1
		if q := (middle*n + 1) >> 25; q < 1<<24 {
			return float32(q), float32(n)
		}
	}
}
