package native

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// inOrderOn runs a kernel in the fixed order, as a processor does, and returns the bits of its results, with one
// pattern for all NaNs.
func inOrderOn(t *testing.T, k kernel.Kernel, f cpu.Features, seed uint64) (bits []uint32) {
	t.Helper()
	code, err := CompileFor(k, f.InFixedOrder())
	require.NoError(t, err)
	defer code.Close()
	var ptr []unsafe.Pointer
	for i, p := range k.Ports() {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		b := kerneltest.NewBuffer(p.DType, p.Len)
		if p.Stored() {
			fillBlocks(b, r, p.Format)
		} else {
			for i := range p.Len {
				b.Set(i, kerneltest.Value{F: r.NormFloat64(), I: int64(r.IntN(7))})
			}
		}
		ptr = append(ptr, b.Pointer())
	}
	kerneltest.Execute(rand.New(rand.NewPCG(seed, uint64(f.Level))), code, ptr)
	for i, p := range k.Ports() {
		if p.Write {
			for _, v := range unsafe.Slice((*float32)(ptr[i]), p.Len) {
				if v != v {
					v = float32(math.NaN())
				}
				bits = append(bits, math.Float32bits(v))
			}
		}
	}
	return bits
}

func access(write bool, n int, strides ...int) kernel.Access {
	return kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: n, Write: write}, Outer: strides}
}

func matrix(rows, cols int, transposed bool) kernel.Matrix {
	m := kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: rows * cols}, Row: cols, Col: 1}
	if transposed {
		m.Row, m.Col = 1, rows
	}
	return m
}

// productOf is sigmoid(A·B + bias).
func productOf(m, k, n int, constant, transposed bool) *kernel.Contraction {
	c := &kernel.Contraction{M: m, N: n, K: k, Acc: dtype.F32, A: matrix(m, k, false), B: matrix(k, n, transposed)}
	c.B.Const = constant
	c.Epilogue.Access = []kernel.Access{access(false, n, 0, 1), access(true, m*n, n, 1)}
	b := kernel.NewBody()
	b.Store(3, b.Unary(kernel.Sigmoid, b.Binary(kernel.Add, b.Input(dtype.F32), b.Load(2, dtype.F32))))
	c.Epilogue.Body = b.Body()
	return c
}

// storedProductOf is A·B with the columns of B in blocks of a packed format.
func storedProductOf(format dtype.Format, m, k, n int) *kernel.Contraction {
	column, _ := format.RowBytes(k)
	c := &kernel.Contraction{M: m, N: n, K: k, Acc: dtype.F32, A: matrix(m, k, false)}
	c.B = kernel.Matrix{Port: kernel.Port{DType: dtype.U8, Format: format, Len: n * column}, Row: format.Bytes(), Col: column}
	c.Epilogue.Access = []kernel.Access{access(true, m*n, n, 1)}
	b := kernel.NewBody()
	b.Store(2, b.Input(dtype.F32))
	c.Epilogue.Body = b.Body()
	return c
}

// TestFixedOrder: in the fixed order, all processors give the same bits.
func TestFixedOrder(t *testing.T) {
	same := func(name string, k kernel.Kernel) {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, kernel.Verify(k))
			want := inOrderOn(t, k, cpu.Features{}, 1)
			for _, f := range kerneltest.Here() {
				require.Equal(t, want, inOrderOn(t, k, f, 1), "%v", f)
			}
		})
	}
	for _, s := range [][3]int{{1, 300, 40}, {5, 1000, 33}, {37, 129, 70}, {64, 7, 1}, {3, 5000, 9}, {1, 2000, 1}} {
		for i, constant := range []bool{true, false} {
			same("product", productOf(s[0], s[1], s[2], constant, i == 0))
			same("product", productOf(s[0], s[1], s[2], constant, i == 1))
		}
	}
	for _, format := range []dtype.Format{dtype.Q8_0, dtype.Q4_K, dtype.IQ4_NL} {
		for _, rows := range []int{1, 7, 70} {
			same(format.String(), storedProductOf(format, rows, 3*format.Block()+256, 37))
		}
	}
	for _, l := range []struct{ c, k, size, filter, stride, pad, groups int }{
		{64, 32, 14, 3, 1, 1, 1}, {3, 16, 30, 7, 2, 3, 1}, {8, 8, 12, 3, 1, 1, 8}, {16, 24, 9, 1, 1, 0, 1},
		{6, 4, 11, 5, 1, 2, 2}, {32, 48, 5, 3, 2, 1, 1},
	} {
		same("convolution", convolutionOf(l.c, l.k, l.size, l.filter, l.stride, l.pad, l.groups))
	}
	for _, s := range [][2]int{{1, 10}, {3, 300}, {70, 129}} {
		same("softmax", softmaxOf(s[0], s[1]))
	}
	same("attention", &kernel.Attention{Batch: []int{2}, Queries: 40, Keys: 70, Dim: 16, VDim: 24, Acc: dtype.F32, Scale: 0.25,
		Q: batched(2, 40, 16, false), K: batched(2, 70, 16, false), V: batched(2, 70, 24, false), O: batched(2, 40, 24, true)})
}

func batched(batches, rows, cols int, write bool) kernel.Matrix {
	return kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: batches * rows * cols, Write: write}, Batch: []int{rows * cols}, Row: cols, Col: 1}
}

func convolutionOf(c, k, size, filter, stride, pad, groups int) *kernel.Convolution {
	out := (size+2*pad-filter)/stride + 1
	in := c / groups
	l := &kernel.Convolution{N: 2, C: c, H: size, W: size, K: k, P: out, Q: out, R: filter, S: filter,
		Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad}, Groups: groups, Acc: dtype.F32}
	l.X = kernel.Image{Port: kernel.Port{DType: dtype.F32, Len: 2 * c * size * size}, Strides: [4]int{c * size * size, size * size, size, 1}}
	l.Filter = kernel.Image{Port: kernel.Port{DType: dtype.F32, Len: k * in * filter * filter},
		Strides: [4]int{in * filter * filter, filter * filter, filter, 1}}
	l.Filter.Const = true
	l.Epilogue.Access = []kernel.Access{access(true, 2*k*out*out, k*out*out, out*out, out, 1)}
	b := kernel.NewBody()
	b.Store(2, b.Binary(kernel.Max, b.Const(dtype.F32, 0), b.Input(dtype.F32)))
	l.Epilogue.Body = b.Body()
	return l
}

func softmaxOf(rows, cols int) *kernel.Nest {
	x, y, z := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	e := y.Unary(kernel.Exp, y.Binary(kernel.Sub, y.Load(0, dtype.F32), y.Acc(0, 0, dtype.F32)))
	z.Store(1, z.Binary(kernel.Div, z.Kept(1, 0, dtype.F32), z.Acc(1, 0, dtype.F32)))
	in, out := access(false, rows*cols, cols), access(true, rows*cols, cols)
	in.Inner, out.Inner = []int{1}, []int{1}
	return &kernel.Nest{Name: "softmax", Outer: []int{rows}, Inner: []int{cols}, Access: []kernel.Access{in, out}, Stages: []kernel.Stage{
		{Body: x.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32, Init: kernel.Bits(dtype.F32, math.Inf(-1))}}},
		{Body: y.Body(), Keep: []int{e}, Reduce: []kernel.Reduction{{Value: e, Type: dtype.F32}}},
		{Body: z.Body()},
	}}
}

// TestRowsAlone: a row gives the same bits alone as among others, on every processor.
func TestRowsAlone(t *testing.T) {
	for _, f := range runnable() {
		for name, of := range map[string]func(rows int) kernel.Kernel{
			"product": func(rows int) kernel.Kernel { return productOf(rows, 700, 30, false, false) },
			"softmax": func(rows int) kernel.Kernel { return softmaxOf(rows, 200) },
		} {
			one, many := inOrderOn(t, of(1), f, 7), inOrderOn(t, of(300), f, 7)
			require.Equal(t, one, many[:len(one)], "%v %s", f, name)
		}
	}
}
