package describe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// stored is an epilogue that stores its sums with strides over the loops of its kernel.
func stored(elements int, strides ...int) kernel.Epilogue {
	b := kernel.NewBody()
	b.Store(2, b.Input(dtype.F32))
	return kernel.Epilogue{Body: b.Body(), Access: []kernel.Access{{Port: port(elements, true), Outer: strides}}}
}

// TestMatrixOf says of ports which matrix they are. The next product takes what a product leaves, and images take what
// images of as many positions leave; a product does not take it, though both have as many rows as wide.
func TestMatrixOf(t *testing.T) {
	const images, channels, high, wide = 2, 6, 4, 5
	const places, all = high * wide, images * channels * high * wide
	product := &kernel.Contraction{M: images * places, N: channels, K: channels,
		A:        kernel.Matrix{Port: port(all, false), Row: channels, Col: 1},
		B:        kernel.Matrix{Port: port(channels*channels, false), Row: channels, Col: 1},
		Epilogue: stored(all, channels, 1)}
	planes := [4]int{channels * places, places, wide, 1}
	image := &kernel.Convolution{N: images, C: channels, H: high, W: wide, K: channels, P: high, Q: wide, R: 1, S: 1,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1, X: kernel.Image{Port: port(all, false), Strides: planes},
		Filter: kernel.Image{Port: port(channels*channels, false)}, Epilogue: stored(all, planes[:]...)}
	matrix := func(k kernel.Kernel, number int) describe.Matrix {
		m, ok := describe.MatrixOf(k, number)
		require.True(t, ok)
		require.Equal(t, images*places, m.Rows)
		require.Equal(t, channels, m.Width)
		return m
	}
	left, taken := matrix(product, 2), matrix(product, 0)
	require.Empty(t, left.Loops)
	require.True(t, left.Same(taken))
	out, in := matrix(image, 2), matrix(image, 0)
	require.Equal(t, []workload.Loop{{Size: images, Stride: planes[0]}, {Size: places, Stride: 1}, {Size: channels, Stride: places}},
		out.Loops)
	require.True(t, out.Same(in))
	require.False(t, out.Same(taken))
	require.False(t, left.Same(in))

	inner := *image // channels innermost: the matrix in order
	inner.X.Strides = [4]int{places * channels, 1, wide * channels, channels}
	require.True(t, left.Same(matrix(&inner, 0)))
	require.False(t, out.Same(matrix(&inner, 0)))
	points := &kernel.Nest{Outer: []int{all}, Access: []kernel.Access{{Port: port(all, false), Outer: []int{1}}}}
	m, ok := describe.MatrixOf(points, 0)
	require.True(t, ok)
	require.True(t, m.Same(left), "rows of one")
	require.False(t, m.Same(out))
	single := inner // one image, whose stride says nothing
	single.N, single.X.Strides[0] = 1, 7
	single.X.Len /= images
	one, ok := describe.MatrixOf(&single, 0)
	require.True(t, ok)
	require.Empty(t, one.Loops)
	other := out
	other.Width++
	require.False(t, out.Same(other))

	for name, change := range map[string]func(c *kernel.Convolution, p *kernel.Contraction){
		"weights":    nil,
		"groups":     func(c *kernel.Convolution, p *kernel.Contraction) { c.Groups, p.Batch = 2, []int{2} },
		"part of it": func(c *kernel.Convolution, p *kernel.Contraction) { c.X.Len++; p.A.Len++ },
		"later":      func(c *kernel.Convolution, p *kernel.Contraction) { c.X.Offset, p.A.Offset = 1, 1 },
		"with gaps":  func(c *kernel.Convolution, p *kernel.Contraction) { c.X.Strides[0]++; p.A.Row++ },
		"again":      func(c *kernel.Convolution, p *kernel.Contraction) { c.X.Strides[0], p.A.Row = 0, 0 },
	} {
		c, p, number := *image, *product, 0
		if change == nil {
			number = 1
		} else {
			change(&c, &p)
		}
		_, ok := describe.MatrixOf(&c, number)
		require.False(t, ok, name)
		_, ok = describe.MatrixOf(&p, number)
		require.False(t, ok, name)
	}
}
