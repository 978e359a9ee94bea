package workloadtest

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
)

// Extent returns a size from 1 to limit, small ones and powers of two more often.
func Extent(r *rand.Rand, limit int) int {
	n := 1 + r.IntN(limit)
	switch r.IntN(3) {
	case 0:
		return 1 + n%17
	case 1:
		for n&(n-1) != 0 {
			n &= n - 1
		}
	}
	return n
}

// pick chooses a type.
func pick(r *rand.Rand, types ...dtype.DType) dtype.DType { return types[r.IntN(len(types))] }

// Kinds are the kinds of kernels that [Kernel] returns.
var Kinds = []workload.Kind{workload.KindContraction, workload.KindPointwise, workload.KindNormalize, workload.KindAttention,
	workload.KindConvolution, workload.KindMove}

// Kernel returns a kernel of any kind.
func Kernel(r *rand.Rand) *workload.Kernel {
	t := pick(r, dtype.BF16, dtype.F32, dtype.I8, dtype.I16)
	return kernelOf(r, Kinds[r.IntN(len(Kinds))], t)
}

// KernelOf returns a kernel of a kind.
func KernelOf(r *rand.Rand, kind workload.Kind) *workload.Kernel {
	return kernelOf(r, kind, pick(r, dtype.BF16, dtype.F32, dtype.I8, dtype.I16))
}

// kernelOf returns a kernel of a kind, of an element type where the kind takes any.
func kernelOf(r *rand.Rand, kind workload.Kind, t dtype.DType) *workload.Kernel {
	w := &workload.Kernel{Name: "random", Kind: kind}
	stream := func(n int64) workload.Stream { return workload.Stream{DType: t, Elements: n} }
	switch kind {
	case workload.KindContraction:
		w.Contraction = randomProduct(r, t)
	case workload.KindPointwise:
		n := int64(Extent(r, 1<<18))
		w.Pointwise = workload.Pointwise{Elements: n, DType: t, Out: []workload.Stream{stream(n)},
			Ops: workload.Mix{Simple: 2, Transcendental: float64(r.IntN(2))}}
		for range 1 + r.IntN(3) {
			in := stream(n)
			if r.IntN(4) == 0 {
				in.Elements = max(1, n/int64(Extent(r, 64)))
			}
			w.Pointwise.In = append(w.Pointwise.In, in)
		}
	case workload.KindNormalize:
		rows, cols := Extent(r, 2048), Extent(r, 2048)
		if r.IntN(5) == 0 {
			rows, cols = Extent(r, 16), 30000+r.IntN(30000) // no core holds a row
		}
		all := stream(int64(rows) * int64(cols))
		w.Normalize = workload.Normalize{Rows: rows, Cols: cols, DType: t, Passes: 1 + r.IntN(3),
			Ops: workload.Mix{Simple: 4}, In: []workload.Stream{all}, Out: []workload.Stream{all}}
		for range r.IntN(3) {
			w.Normalize.In = append(w.Normalize.In, stream(int64(cols)))
		}
		if r.IntN(4) == 0 {
			w.Normalize.Out = []workload.Stream{stream(int64(rows))}
		}
	case workload.KindAttention:
		heads := 1 + r.IntN(8)
		w.Attention = workload.Attention{Batch: 1 + r.IntN(2), Heads: heads, KVHeads: heads,
			Sq: Extent(r, 1024), Sk: Extent(r, 1024), D: 16 << r.IntN(3), DV: 16 << r.IntN(3),
			Causal: r.IntN(2) == 0, DType: pick(r, dtype.BF16, dtype.F32), Acc: dtype.F32}
		if a := &w.Attention; r.IntN(2) == 0 {
			a.Mask = &workload.Mask{DType: pick(r, dtype.F32, dtype.BF16, dtype.Bool),
				Queries: [2]int{1, a.Sq}[r.IntN(2)],
				Heads:   []workload.Loop{{Size: a.Batch * heads, Stride: r.IntN(2)}}}
		}
	case workload.KindConvolution:
		w.Convolution = randomConvolution(r, t)
	case workload.KindMove:
		a, b, c := Extent(r, 64), Extent(r, 64), Extent(r, 64)
		w.Move = workload.Move{DType: pick(r, dtype.F32, dtype.I32), Shape: []int{a, b, c},
			Perm: r.Perm(3), Elements: int64(a) * int64(b) * int64(c)}
	}
	return w
}

// randomProduct multiplies matrices, with an epilogue or without.
func randomProduct(r *rand.Rand, t dtype.DType) workload.Contraction {
	op := workload.Operand{DType: t}
	c := workload.Contraction{Batch: 1 + r.IntN(3), M: Extent(r, 2048), N: Extent(r, 2048),
		K: Extent(r, 2048), A: op, B: op, Acc: dtype.F32, Out: t}
	if !t.IsFloat() {
		c.Acc = dtype.I32
	}
	if r.IntN(2) == 0 {
		c.Out = c.Acc
	}
	if r.IntN(3) == 0 {
		c.Epilogue.Ops.Simple = 1
		n := [3]int{c.N, c.M, c.Batch * c.M * c.N}[r.IntN(3)]
		c.Epilogue.In = []workload.Stream{{DType: c.Out, Elements: int64(n)}}
	}
	for range max(0, r.IntN(5)-2) {
		c.Epilogue.Also = append(c.Epilogue.Also, pick(r, t, c.Acc, dtype.I8))
	}
	return c
}

// randomConvolution slides windows with strides, dilation and groups.
func randomConvolution(r *rand.Rand, t dtype.DType) workload.Convolution {
	acc := dtype.F32
	if !t.IsFloat() {
		acc = dtype.I32
	}
	f, dilation, groups := 1+2*r.IntN(3), 1+r.IntN(2), 1
	in, out := Extent(r, 64), Extent(r, 64)
	if r.IntN(4) == 0 {
		groups = 1 + r.IntN(8)
		in, out = in*groups, out*groups
	}
	size := func() int { return (f-1)*dilation + 1 + r.IntN(48) }
	c := workload.Convolution{N: 1 + r.IntN(2), C: in, H: size(), W: size(), K: out, R: f, S: f,
		StrideH: 1 + r.IntN(2), StrideW: 1 + r.IntN(2), DilationH: dilation, DilationW: dilation,
		Groups: groups, In: t, Weight: t, Acc: acc, Out: t}
	if r.IntN(2) == 0 {
		c.Epilogue.Ops.Simple = 1
		c.Epilogue.In = []workload.Stream{{DType: t, Elements: int64(out)}}
		if r.IntN(2) == 0 {
			c.Epilogue.In[0].Elements *= int64(c.N) * int64(c.OutH()) * int64(c.OutW())
		}
	}
	if r.IntN(3) == 0 {
		c.Epilogue.Also = []dtype.DType{pick(r, t, acc, dtype.I8)}
	}
	return c
}
