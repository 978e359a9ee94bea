package native

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// levels returns a processor for each level, portable as well. Not all of their code runs here; with -short, all does.
func levels() []cpu.Features {
	if testing.Short() {
		return runnable()
	}
	list := append(kerneltest.Levels(), cpu.Features{})
	for _, p := range kerneltest.Arm {
		list = append(list, p.Features)
	}
	return list
}

// runnable returns the levels whose code runs here. Portable code, which is Go's, is the same on every processor of x86,
// so an emulated one has its machine code alone.
func runnable() []cpu.Features {
	list := kerneltest.Here()
	if emulator.On() && runtime.GOARCH == "amd64" && len(list) > 0 {
		return list
	}
	return append(list, cpu.Features{})
}

// operands draws element types that may be multiplied, and their accumulator.
func operands(r *rand.Rand) (a, b, acc dtype.DType) {
	switch r.IntN(6) {
	case 0:
		return dtype.F64, dtype.F64, dtype.F64
	case 1:
		return dtype.BF16, dtype.BF16, dtype.F32
	case 2:
		return dtype.F16, dtype.F16, dtype.F32
	case 3:
		bytes := [2]dtype.DType{dtype.U8, dtype.I8}
		return bytes[r.IntN(2)], bytes[r.IntN(2)], dtype.I32
	case 4:
		return dtype.I64, dtype.I64, dtype.I64
	}
	return dtype.F32, dtype.F32, dtype.F32
}

// rows lays out loops of the given extents densely, in a random order.
func layout(r *rand.Rand, extents ...int) (strides []int, length int) {
	order := r.Perm(len(extents))
	if r.IntN(2) == 0 {
		for i := range order {
			order[i] = len(extents) - 1 - i
		}
	}
	strides, length = make([]int, len(extents)), 1
	for _, l := range order {
		strides[l] = length
		length *= extents[l]
	}
	return strides, length
}

// epilogue makes result = relu(acc·0.5 + bias) or the plain sum.
func epilogue(r *rand.Rand, acc dtype.DType, extents []int, biasLoop int) kernel.Epilogue {
	s, n := layout(r, extents...)
	e := kernel.Epilogue{Access: []kernel.Access{{Port: kernel.Port{DType: acc, Write: true, Len: n}, Outer: s}}}
	b := kernel.NewBody()
	v := b.Input(acc)
	if acc == dtype.F32 && r.IntN(2) == 0 {
		bias := make([]int, len(extents))
		bias[biasLoop] = 1
		e.Access = append(e.Access, kernel.Access{Port: kernel.Port{DType: acc, Len: extents[biasLoop]}, Outer: bias})
		v = b.Binary(kernel.Add, b.Binary(kernel.Mul, v, b.Const(acc, 0.5)), b.Load(3, acc))
		v = b.Binary(kernel.Max, v, b.Const(acc, 0))
		if r.IntN(2) == 0 {
			v = b.Unary(kernel.Tanh, v)
		}
	}
	b.Store(2, v)
	e.Body = b.Body()
	return e
}

func contraction(r *rand.Rand) *kernel.Contraction {
	a, b, acc := operands(r)
	c := &kernel.Contraction{Name: "c", M: 1 + r.IntN(70), N: 1 + r.IntN(90), K: 1 + r.IntN(80), Acc: acc}
	if r.IntN(3) == 0 {
		c.Batch = []int{1 + r.IntN(3)}
	}
	matrix := func(d dtype.DType, rows, cols int) kernel.Matrix {
		s, n := layout(r, append(append([]int(nil), c.Batch...), rows, cols)...)
		k := len(c.Batch)
		return kernel.Matrix{Port: kernel.Port{DType: d, Len: n, Const: r.IntN(2) == 0}, Batch: s[:k:k],
			Row: s[k], Col: s[k+1]}
	}
	c.A, c.B = matrix(a, c.M, c.K), matrix(b, c.K, c.N)
	extents := append(append([]int(nil), c.Batch...), c.M, c.N)
	c.Epilogue = epilogue(r, acc, extents, len(extents)-1)
	return c
}

func convolution(r *rand.Rand) *kernel.Convolution {
	a, b, acc := operands(r)
	c := &kernel.Convolution{Name: "v", N: 1 + r.IntN(2), H: 3 + r.IntN(12), W: 3 + r.IntN(20),
		R: 1 + r.IntN(3), S: 1 + r.IntN(3), Stride: [2]int{1 + r.IntN(2), 1 + r.IntN(2)},
		Dilation: [2]int{1, 1 + r.IntN(2)}, Pad: [2]int{r.IntN(2), r.IntN(3)}, Acc: acc}
	c.Groups = 1 + r.IntN(3)
	c.C, c.K = c.Groups*(1+r.IntN(9)), c.Groups*(1+r.IntN(20))
	if r.IntN(4) == 0 { // depthwise
		c.Groups = 1 + r.IntN(20)
		c.C, c.K = c.Groups, c.Groups
	}
	c.P = (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0] + 1
	c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
	if c.P < 1 || c.Q < 1 {
		return convolution(r)
	}
	image := func(d dtype.DType, extents ...int) kernel.Image {
		s, n := layout(r, extents...)
		return kernel.Image{Port: kernel.Port{DType: d, Len: n, Const: r.IntN(2) == 0}, Strides: [4]int(s)}
	}
	c.X, c.Filter = image(a, c.N, c.C, c.H, c.W), image(b, c.K, c.C/c.Groups, c.R, c.S)
	c.Epilogue = epilogue(r, acc, []int{c.N, c.K, c.P, c.Q}, 1)
	return c
}

func randomAttention(r *rand.Rand) *kernel.Attention {
	d := []dtype.DType{dtype.F32, dtype.F32, dtype.F32, dtype.F64, dtype.BF16, dtype.F16}[r.IntN(6)]
	a := &kernel.Attention{Name: "a", Batch: []int{1 + r.IntN(3)}, Queries: 1 + r.IntN(70),
		Keys: 1 + r.IntN(150), Dim: 1 + r.IntN(70), VDim: 1 + r.IntN(70), Scale: 0.3,
		Causal: r.IntN(2) == 0, Safe: r.IntN(2) == 0, Acc: dtype.F32}
	if d == dtype.F64 {
		a.Acc = d
	}
	matrix := func(d dtype.DType, write bool, rows, cols int) kernel.Matrix {
		s, n := layout(r, a.Batch[0], rows, cols)
		return kernel.Matrix{Port: kernel.Port{DType: d, Len: n, Write: write}, Batch: s[:1:1], Row: s[1], Col: s[2]}
	}
	a.Q, a.K = matrix(d, false, a.Queries, a.Dim), matrix(d, false, a.Keys, a.Dim)
	a.V, a.O = matrix(d, false, a.Keys, a.VDim), matrix(d, true, a.Queries, a.VDim)
	if r.IntN(3) == 0 {
		m := matrix(d, false, a.Queries, a.Keys)
		a.Mask = &m
	}
	if !a.Safe && r.IntN(2) == 0 {
		m := matrix(dtype.F32, false, a.Queries, 1)
		a.Sinks = &m
	}
	return a
}

// TestQueriesWithoutKeys: queries that a mask hides all keys from give NaN, and 0 if the attention is safe, beside others.
func TestQueriesWithoutKeys(t *testing.T) {
	port := func(d dtype.DType, rows, cols int, write bool) kernel.Matrix {
		return kernel.Matrix{Port: kernel.Port{DType: d, Len: rows * cols, Write: write}, Row: cols, Col: 1}
	}
	for _, f := range runnable() {
		for i := range 24 {
			r := rand.New(rand.NewPCG(uint64(i), 6))
			d := []dtype.DType{dtype.F32, dtype.F64}[i%2]
			a := &kernel.Attention{Name: "a", Queries: 1 + r.IntN(70), Keys: 1 + r.IntN(150), Dim: 3, VDim: 5, Scale: 0.3,
				Safe: i%4 < 2, MaskIsBool: i%3 == 0, Acc: d}
			a.Q, a.K, a.V = port(d, a.Queries, a.Dim, false), port(d, a.Keys, a.Dim, false), port(d, a.Keys, a.VDim, false)
			a.O = port(d, a.Queries, a.VDim, true)
			mask := port(d, a.Queries, a.Keys, false)
			if a.MaskIsBool {
				mask.DType = dtype.Bool
			}
			a.Mask = &mask
			code, err := CompileFor(a, f)
			require.NoError(t, err)
			shown, inputs := false, 0 // shown: of the query whose row of the mask is filled
			require.NoError(t, kerneltest.CheckWith(r, a, code, 8, func(b kerneltest.Buffer) {
				inputs++
				for k := range b.Len() {
					v := kerneltest.Value{F: r.NormFloat64()}
					if inputs == 4 {
						if k%a.Keys == 0 {
							shown = !shown
						}
						if v.I = 1; !shown {
							v = kerneltest.Value{F: math.Inf(-1)}
						}
					}
					b.Set(k, v)
				}
			}), "%v %d", f.Level, i)
			code.Close()
		}
	}
}

func check(t *testing.T, count int, ulps float64, make func(r *rand.Rand) kernel.Kernel) {
	for _, f := range levels() {
		for seed := range longtest.Sample(count/10, count/3, count) {
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			k := make(r)
			code, err := CompileFor(k, f)
			require.NoError(t, err, "%v seed %d\n%s", f.Level, seed, k)
			if !kerneltest.Executes(f) {
				code.Close()
				continue
			}
			require.NoError(t, kerneltest.Check(r, k, code, ulps), "%v seed %d", f.Level, seed)
			code.Close()
			again, err := kernel.Parse(k.String())
			require.NoError(t, err)
			require.Equal(t, k.String(), again.String())
		}
	}
}

func TestContractions(t *testing.T) {
	check(t, 60, 8, func(r *rand.Rand) kernel.Kernel { return contraction(r) })
}

// withIndex adds the index of the last loop to what an epilogue stores.
func withIndex(e *kernel.Epilogue, loops int, acc dtype.DType) {
	b := kernel.NewBody()
	v := b.Input(acc)
	b.Store(2, b.Binary(kernel.Add, v, b.Cast(acc, b.Index(loops-1))))
	e.Body = b.Body()
}

// TestDeferredEpilogues has epilogues that no product is generated with.
func TestDeferredEpilogues(t *testing.T) {
	check(t, 20, 8, func(r *rand.Rand) kernel.Kernel {
		c := contraction(r)
		withIndex(&c.Epilogue, len(c.Batch)+2, c.Acc)
		return c
	})
	check(t, 20, 8, func(r *rand.Rand) kernel.Kernel {
		c := convolution(r)
		withIndex(&c.Epilogue, 4, c.Acc)
		return c
	})
}

// TestSpreadConvolutions stores every other column.
func TestSpreadConvolutions(t *testing.T) {
	check(t, 20, 8, func(r *rand.Rand) kernel.Kernel {
		c := convolution(r)
		e := &c.Epilogue.Access[0]
		for i := range e.Outer {
			e.Outer[i] *= 2
		}
		e.Len = 2*e.Len - 1
		return c
	})
}

func TestConvolutions(t *testing.T) {
	check(t, 40, 8, func(r *rand.Rand) kernel.Kernel { return convolution(r) })
}

func TestAttention(t *testing.T) {
	check(t, 40, 16, func(r *rand.Rand) kernel.Kernel { return randomAttention(r) })
}
