package kerneltest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// spoiled is a code that writes a number over its first result.
type spoiled struct {
	kernel.Code
	number float32
}

func (s spoiled) Run(args *kernel.Args, lo, hi int) {
	s.Code.Run(args, lo, hi)
	*(*float32)(args.Ptr[2]) = s.number
}

// TestCheck: a product with a wrong number is refused, a NaN included.
func TestCheck(t *testing.T) {
	matrix := kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: 16}, Row: 4, Col: 1}
	k := &kernel.Contraction{Name: "product", M: 4, N: 4, K: 4, A: matrix, B: matrix, Acc: dtype.F32}
	body := kernel.NewBody()
	body.Store(2, body.Input(dtype.F32))
	k.Epilogue = kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
		{Port: kernel.Port{DType: dtype.F32, Write: true, Len: 16}, Outer: []int{4, 1}}}}
	code, err := portable.Compile(k)
	require.NoError(t, err)
	ones := func(b kerneltest.Buffer) {
		for i := range b.Len() {
			b.Set(i, kerneltest.Value{F: 1})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	require.NoError(t, kerneltest.CheckWith(r, k, spoiled{code, 4}, 8, ones))
	for _, number := range []float64{4.01, math.NaN(), math.Inf(1)} {
		require.Error(t, kerneltest.CheckWith(r, k, spoiled{code, float32(number)}, 8, ones), "%v", number)
	}
}
