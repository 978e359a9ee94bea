package convolution

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

// padded is a convolution 3×3 with a border, whose epilogue stores the sums.
func padded(x, filter, acc dtype.DType) *kernel.Convolution {
	port := func(d dtype.DType, n int) kernel.Port { return kernel.Port{DType: d, Len: n} }
	c := &kernel.Convolution{Name: "padded", N: 2, C: 6, H: 7, W: 5, K: 4, P: 4, Q: 5, R: 3, S: 3, Stride: [2]int{2, 1}, Dilation: [2]int{1, 1},
		Pad: [2]int{1, 1}, Groups: 2, Acc: acc,
		X:      kernel.Image{Port: port(x, 2*6*7*5), Strides: [4]int{6 * 7 * 5, 7 * 5, 5, 1}},
		Filter: kernel.Image{Port: port(filter, 4*3*9), Strides: [4]int{27, 9, 3, 1}}}
	out := kernel.Access{Port: port(acc, 2*4*4*5), Outer: []int{4 * 4 * 5, 4 * 5, 5, 1}}
	out.Write = true
	b := kernel.NewBody()
	b.Store(2, b.Input(acc))
	c.Epilogue = kernel.Epilogue{Access: []kernel.Access{out}, Body: b.Body()}
	return c
}

func multiply(c *kernel.Contraction) (kernel.Code, error) { return portable.Compile(c) }

func nest(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }

// TestByPatches compares products of patches with the definition, of portable parts.
func TestByPatches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, types := range [][3]dtype.DType{{dtype.F32, dtype.F32, dtype.F32}, {dtype.U8, dtype.I8, dtype.I32}, {dtype.F64, dtype.F64, dtype.F64}} {
		for _, turned := range []bool{false, true} {
			c := padded(types[0], types[1], types[2])
			if turned { // taps before channels
				c.Filter.Strides = [4]int{27, 1, 9, 3}
			}
			code, err := ByPatches(c, multiply)
			require.NoError(t, err)
			require.Equal(t, turned, code.PrologueUnits() > 0)
			code, err = Guard(c, code, portable.Compile, nest, Finite) // filters may be infinite
			require.NoError(t, err)
			require.NoError(t, kerneltest.Check(r, c, code, 64))
			code.Close()
		}
	}
	empty := padded(dtype.F32, dtype.F32, dtype.F32)
	empty.W, empty.X.Len = 0, 0
	_, err := ByPatches(empty, multiply)
	require.ErrorIs(t, err, kernel.ErrUnsupported)
}

// TestBordered compares convolutions of 16-bit floats with the definition.
func TestBordered(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	var inner *kernel.Convolution
	convolve := func(c *kernel.Convolution) (kernel.Code, error) {
		inner = c
		return portable.Compile(c)
	}
	for i, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F16} {
		c := padded(d, d, dtype.F32)
		c.Filter.Const = true
		if i == 2 { // all of the image is border
			c.Pad[0] = -c.H
		}
		code, err := Bordered(c, 8, convolve, nest)
		require.NoError(t, err)
		require.Equal(t, [2]int{}, inner.Pad)
		require.Equal(t, dtype.F32, inner.X.DType)
		code, err = Guard(c, code, portable.Compile, nest, Finite)
		require.NoError(t, err)
		require.NoError(t, kerneltest.Check(r, c, code, 64))
		code.Close()
		_, err = Bordered(padded(d, d, dtype.F32), 8, convolve, nest)
		require.ErrorIs(t, err, kernel.ErrUnsupported, "filters that vary")
	}
}

// wrong is code whose results differ from the convolution's.
type wrong struct{ kernel.Code }

func (w wrong) Run(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		*(*float32)(args.Ptr[2]) = 1e30
	}
}

// TestGuard has the numbers with which exact code runs instead of the guarded one.
func TestGuard(t *testing.T) {
	c := padded(dtype.F32, dtype.F32, dtype.F32)
	run := func(limit float32, x, filter float64) error {
		code, err := portable.Compile(c)
		require.NoError(t, err)
		g, err := Guard(c, wrong{code}, portable.Compile, nest, limit)
		require.NoError(t, err)
		defer g.Close()
		return kerneltest.CheckWith(rand.New(rand.NewPCG(3, 1)), c, g, 64, func(b kerneltest.Buffer) {
			v := 1.0
			switch b.Len() {
			case c.X.Len:
				v = x
			case c.Filter.Len:
				v = filter
			}
			for i := range b.Len() {
				b.Set(i, kerneltest.Value{F: 1})
			}
			b.Set(b.Len()/2, kerneltest.Value{F: v})
		})
	}
	require.Error(t, run(Finite, 1, 1))
	require.Error(t, run(Finite, math.Inf(1), 0x1p60))
	require.NoError(t, run(Finite, 1, math.Inf(-1)))
	require.NoError(t, run(Finite, 1, math.NaN()))
	require.Error(t, run(PixelSums, 0x1p49, -0x1p49))
	require.NoError(t, run(PixelSums, 0x1p51, 1))
	require.NoError(t, run(PixelSums, 1, -0x1p51))
}
