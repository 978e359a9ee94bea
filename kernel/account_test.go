package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// dense returns a matrix of a batch without gaps; a batch stride of 0 shares one matrix.
func dense(d dtype.DType, batch, rows, cols int, shared bool) kernel.Matrix {
	m := kernel.Matrix{Port: kernel.Port{DType: d, Len: batch * rows * cols}, Batch: []int{rows * cols}, Row: cols, Col: 1}
	if shared {
		m.Batch, m.Len = []int{0}, rows*cols
	}
	return m
}

// TestAccounts holds what a kernel is said to do to what its loops do: products, other work, and
// the bytes of the elements that it reads and writes, each counted once.
func TestAccounts(t *testing.T) {
	const batch, m, n, k = 2, 3, 5, 7
	out := kernel.Access{Port: kernel.Port{DType: dtype.BF16, Write: true, Len: batch * m * n}, Outer: []int{m * n, n, 1}}
	bias := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: n}, Outer: []int{0, 0, 1}}
	body := kernel.Body{{Op: kernel.Input}, {Op: kernel.Load}, {Op: kernel.Add}, {Op: kernel.Max}, {Op: kernel.Store}}
	write := func(x kernel.Matrix) kernel.Matrix { x.Write = true; return x }
	mask := dense(dtype.Bool, batch, m, n, true)
	for name, c := range map[string]struct {
		kernel              kernel.Kernel
		kind                string
		macs, work, in, out int64
	}{
		"product": {&kernel.Contraction{Batch: []int{batch}, M: m, N: n, K: k, A: dense(dtype.F32, batch, m, k, false),
			B: dense(dtype.BF16, batch, k, n, true), Epilogue: kernel.Epilogue{Access: []kernel.Access{bias, out}, Body: body}},
			"contraction", batch * m * n * k, 2 * batch * m * n, batch*m*k*4 + k*n*2 + n*4, batch * m * n * 2},
		"convolution": {&kernel.Convolution{N: 2, C: 6, H: 8, W: 9, K: 4, P: 6, Q: 5, R: 3, S: 5, Groups: 2,
			X:      kernel.Image{Port: kernel.Port{DType: dtype.F32, Len: 2 * 6 * 8 * 9}, Strides: [4]int{432, 72, 9, 1}},
			Filter: kernel.Image{Port: kernel.Port{DType: dtype.I8, Len: 4 * 3 * 3 * 5}, Strides: [4]int{45, 15, 5, 1}},
			Epilogue: kernel.Epilogue{Access: []kernel.Access{{Port: kernel.Port{DType: dtype.F32, Write: true,
				Len: 2 * 4 * 6 * 5}, Outer: []int{120, 30, 5, 1}}}, Body: body[:1]}},
			"convolution", 2 * 4 * 6 * 5 * 3 * 3 * 5, 0, 2*6*8*9*4 + 4*3*3*5, 2 * 4 * 6 * 5 * 4},
		"attention": {&kernel.Attention{Batch: []int{batch}, Queries: m, Keys: n, Dim: k, VDim: 11,
			Q: dense(dtype.F32, batch, m, k, false), K: dense(dtype.F32, batch, n, k, false),
			V: dense(dtype.F32, batch, n, 11, false), O: write(dense(dtype.F32, batch, m, 11, false)), Mask: &mask},
			"attention", batch * m * n * (k + 11), 4 * batch * m * n, 4*batch*(m*k+n*k+n*11) + m*n, 4 * batch * m * 11},
		"reduction": {&kernel.Nest{Outer: []int{m}, Inner: []int{n}, Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F64, Len: m * n}, Outer: []int{n}, Inner: []int{1}},
			{Port: kernel.Port{DType: dtype.F64, Write: true, Len: m}, Outer: []int{1}, Inner: []int{0}}},
			Stages: []kernel.Stage{{Body: body[1:3], Reduce: make([]kernel.Reduction, 1)}, {Once: true, Body: body[3:]}}},
			"reduction", 0, m*n*2 + m, m * n * 8, m * 8},
		"copy": {&kernel.Nest{Outer: []int{m}, Inner: []int{n}, Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.I16, Len: m * n}, Outer: []int{n}, Inner: []int{1}},
			{Port: kernel.Port{DType: dtype.I16, Write: true, Len: m * n}, Outer: []int{n}, Inner: []int{1}}},
			Stages: []kernel.Stage{{Body: kernel.Body{{Op: kernel.Load}, {Op: kernel.Store}}}}},
			"move", 0, 0, m * n * 2, m * n * 2},
	} {
		info := c.kernel.Account()
		require.Equal(t, c.kind, info.What, name)
		require.Equal(t, c.macs, info.MACs, "%s: products", name)
		require.Equal(t, c.work, info.Work, "%s: work", name)
		require.Equal(t, c.in, info.BytesIn, "%s: bytes read", name)
		require.Equal(t, c.out, info.BytesOut, "%s: bytes written", name)
	}
}
