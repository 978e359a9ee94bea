package portable_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

func extents(d dtype.DType, write bool, e ...int) kernel.Port {
	n := 1
	for _, x := range e {
		n *= x
	}
	return kernel.Port{DType: d, Len: n, Write: write}
}

// window is a dense convolution 3×3 with stride 1, and a bias.
func window(d, acc dtype.DType, n, channels, filters, groups, height, width, pad int) *kernel.Convolution {
	k := &kernel.Convolution{Name: "window", N: n, C: channels, H: height, W: width, K: filters, R: 3, S: 3, Groups: groups,
		P: height + 2*pad - 2, Q: width + 2*pad - 2, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad}, Acc: acc}
	k.X = kernel.Image{Port: extents(d, false, n, channels, height, width), Strides: [4]int{channels * height * width, height * width, width, 1}}
	k.Filter = kernel.Image{Port: extents(d, false, filters, channels/groups, 9), Strides: [4]int{channels / groups * 9, 9, 3, 1}}
	body := kernel.NewBody()
	body.Store(2, body.Binary(kernel.Add, body.Input(acc), body.Load(3, acc)))
	k.Epilogue = kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
		{Port: extents(acc, true, n, filters, k.P, k.Q), Outer: []int{filters * k.P * k.Q, k.P * k.Q, k.Q, 1}},
		{Port: extents(acc, false, filters), Outer: []int{0, 1, 0, 0}}}}
	return k
}

// TestWinograd compares convolutions by Winograd's algebra with their definition: with borders, odd extents, several blocks of
// channels, of filters and of a row, and with numbers that are too large to be added up before they are multiplied.
func TestWinograd(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for i, c := range []struct {
		d, acc                                           dtype.DType
		n, channels, filters, groups, height, width, pad int
	}{
		{dtype.F32, dtype.F32, 1, 8, 8, 1, 4, 4, 1},
		{dtype.F32, dtype.F32, 2, 35, 9, 1, 9, 11, 1},
		{dtype.F32, dtype.F32, 1, 8, 70, 1, 13, 7, 0},
		{dtype.F64, dtype.F64, 1, 24, 27, 3, 5, 10, 2},
		{dtype.F16, dtype.F32, 1, 9, 10, 1, 6, 5, 1},
		{dtype.BF16, dtype.F32, 1, 9, 10, 1, 5, 6, 1},
		{dtype.F32, dtype.F32, 1, 8, 8, 1, 5, 140, 1},
	} {
		k := window(c.d, c.acc, c.n, c.channels, c.filters, c.groups, c.height, c.width, c.pad)
		require.NoError(t, kernel.Verify(k))
		code, err := portable.Compile(k)
		require.NoError(t, err)
		require.Contains(t, code.Listing(), "Winograd")
		for odd := range 3 {
			require.NoError(t, kerneltest.CheckWith(r, k, code, 8, func(b kerneltest.Buffer) {
				for j := range b.Len() {
					b.Set(j, kerneltest.Value{F: r.NormFloat64()})
				}
				switch {
				case odd == 1 && b.Len() > c.filters: // infinities and NaN
					b.Sprinkle(r, 2)
				case odd == 2 && c.d != dtype.F16 && b.Len() > c.filters:
					b.Set(r.IntN(b.Len()), kerneltest.Value{F: 0x1p70})
				}
			}), "case %d, %d", i, odd)
		}
	}
}

// A residual that lies where the result goes is added once, also where numbers are too large.
func TestWinogradInPlace(t *testing.T) {
	k := window(dtype.F32, dtype.F32, 1, 8, 8, 1, 6, 200, 1)
	k.Epilogue.Access[1] = k.Epilogue.Access[0]
	k.Epilogue.Access[1].Write = false
	require.NoError(t, kernel.Verify(k))
	code, err := portable.Compile(k)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(5, 2))
	x, f := kerneltest.NewBuffer(dtype.F32, k.X.Len), kerneltest.NewBuffer(dtype.F32, k.Filter.Len)
	for _, b := range []kerneltest.Buffer{x, f} {
		for i := range b.Len() {
			b.Set(i, kerneltest.Value{F: r.NormFloat64()})
		}
	}
	x.Set(150, kerneltest.Value{F: 0x1p60}) // of the second half of the first row
	apart, in := kerneltest.NewBuffer(dtype.F32, k.Epilogue.Access[0].Len), kerneltest.NewBuffer(dtype.F32, k.Epilogue.Access[0].Len)
	for i := range in.Len() {
		in.Set(i, kerneltest.Value{F: r.NormFloat64()})
	}
	once := in.Clone()
	kerneltest.Execute(r, code, []unsafe.Pointer{x.Pointer(), f.Pointer(), apart.Pointer(), in.Pointer()})
	kerneltest.Execute(r, code, []unsafe.Pointer{x.Pointer(), f.Pointer(), once.Pointer(), once.Pointer()})
	for i := range in.Len() {
		require.Equal(t, apart.Get(i), once.Get(i), "element %d", i)
	}
}
