package native

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/blocks"
)

// TestArm64IsNative: nearly all nests, products, convolutions and attentions become code of arm64, also where this
// processor does not run it.
func TestArm64IsNative(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	makers := map[string]func(r *rand.Rand) kernel.Kernel{
		"nest":        randomNest,
		"contraction": func(r *rand.Rand) kernel.Kernel { return contraction(r) },
		"convolution": func(r *rand.Rand) kernel.Kernel { return convolution(r) },
		"attention":   func(r *rand.Rand) kernel.Kernel { return randomAttention(r) },
	}
	for name, make := range makers {
		const n = 24
		portable := 0
		for seed := range uint64(n) {
			k := make(rand.New(rand.NewPCG(seed, 3)))
			code, err := CompileFor(k, kerneltest.Arm[seed%uint64(len(kerneltest.Arm))].Features)
			require.NoError(t, err)
			if strings.HasPrefix(fmt.Sprintf("%T", code), "*portable.") {
				portable++
				t.Logf("portable:\n%s", k)
			}
			code.Close()
		}
		t.Logf("%s: %d of %d are portable", name, portable, n)
		require.LessOrEqual(t, portable, n/5, name)
	}
}

// inGo are the formats whose blocks are decoded in Go, on all processors; products of their values are machine code.
var inGo = []dtype.Format{dtype.IQ2_XXS, dtype.IQ2_XS, dtype.IQ2_S, dtype.IQ3_XXS, dtype.IQ3_S, dtype.IQ1_S, dtype.IQ1_M, dtype.TQ1_0, dtype.TQ2_0, dtype.NVFP4}

// TestKindsOnArm64: of every kind there is a list of kernels, for all types of elements, which become machine code on every
// processor of arm64.
func TestKindsOnArm64(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	r := rand.New(rand.NewPCG(2, 3))
	port := func(d dtype.DType, n int) kernel.Port { return kernel.Port{DType: d, Len: n} }
	written := func(d dtype.DType, n int) kernel.Port { return kernel.Port{DType: d, Len: n, Write: true} }
	numbers := []dtype.DType{dtype.F32, dtype.F64, dtype.I64, dtype.I32, dtype.I16, dtype.I8, dtype.U8, dtype.BF16, dtype.F16}
	lists := map[string][]kernel.Kernel{
		"random":    {&kernel.Random{Name: "k", Key: port(dtype.I64, 1), Counter: port(dtype.I64, 1), Out: written(dtype.I32, 99)}},
		"attention": {randomAttention(r), randomAttention(r), randomAttention(r)},
	}
	add := func(kind string, k kernel.Kernel) { lists[kind] = append(lists[kind], k) }
	for _, d := range numbers {
		acc := map[bool]dtype.DType{true: dtype.F32, false: dtype.I32}[d.IsFloat()]
		if d.Size() == 8 {
			acc = d
		}
		add("nest", sumOf(d))
		add("contraction", squareOf(d, acc))
		add("convolution", windowOf(d, acc))
		l := kernel.Lines{Outer: 3, N: 20, Inner: 5}
		add("scan", &kernel.Scan{Name: "k", Lines: l, Fold: kernel.FoldAdd, X: port(d, l.Elements()), Out: written(d, l.Elements())})
		add("scatter", &kernel.Scatter{Name: "k", Fold: kernel.FoldAdd, Extents: []int{100}, IndexExtents: []int{100}, IntoExtents: []int{7},
			Updates: port(d, 100), Index: port(dtype.I64, 100), Into: port(d, 7), Result: written(d, 7)})
		add("sort", &kernel.Sort{Name: "k", Lines: l, Count: 20, X: port(d, 300), Values: written(d, 300), Positions: written(dtype.I64, 300)})
		if d != dtype.BF16 && d != dtype.F16 {
			add("search", &kernel.Search{Name: "k", Outer: 2, N: 30, M: 70, Values: port(d, 140), Sequence: port(d, 60), Out: written(dtype.I64, 140)})
		}
	}
	for _, f := range dtype.StoredFormats() {
		require.Equal(t, slices.Contains(inGo, f), !blocks.Read(f), "%v", f)
		add("unpack", &kernel.Unpack{Name: "k", X: kernel.Port{DType: dtype.U8, Format: f, Len: 5 * f.Bytes()}, Out: written(dtype.F32, 5*f.Block())})
		for _, rows := range []int{1, 3, 40} {
			for _, rounded := range []bool{true, false} {
				add("contraction", productOfBlocks(r, f, rows, rounded))
			}
		}
	}
	for _, kind := range kernel.Kinds() {
		require.NotEmpty(t, lists[kind], kind)
		for n, k := range lists[kind] {
			if kind == "contraction" && n%longtest.Sample(7, 5, 1) > 0 && k.Ports()[1].Stored() {
				continue
			}
			for _, p := range longtest.Some(1, rotated(kerneltest.Arm, n)...) {
				code, err := CompileFor(k, p.Features)
				require.NoError(t, err)
				portable := strings.HasPrefix(fmt.Sprintf("%T", code), "*portable.") || strings.Contains(code.Listing(), "portable:")
				require.False(t, portable, "%s, %s:\n%s", kind, p.Name, k)
				code.Close()
			}
		}
	}
}

// rotated is a list that begins at element n.
func rotated[E any](list []E, n int) []E {
	n %= len(list)
	return slices.Concat(list[n:], list[:n])
}

// sumOf is a nest that adds numbers.
func sumOf(d dtype.DType) kernel.Kernel {
	a := dense(d, []int{33})
	out := a
	out.Write = true
	b := kernel.NewBody()
	b.Store(1, b.Binary(kernel.Add, b.Load(0, d), b.Load(0, d)))
	return &kernel.Nest{Name: "k", Outer: []int{33}, Access: []kernel.Access{a, out}, Stages: []kernel.Stage{{Body: b.Body()}}}
}

// sums is an epilogue that stores sums densely.
func sums(acc dtype.DType, extents ...int) kernel.Epilogue {
	e := kernel.Epilogue{Access: []kernel.Access{dense(acc, extents)}}
	e.Access[0].Write = true
	b := kernel.NewBody()
	b.Store(2, b.Input(acc))
	e.Body = b.Body()
	return e
}

func squareOf(d, acc dtype.DType) kernel.Kernel {
	m := kernel.Matrix{Port: kernel.Port{DType: d, Len: 20 * 20}, Row: 20, Col: 1}
	return &kernel.Contraction{Name: "k", M: 20, N: 20, K: 20, A: m, B: m, Acc: acc, Epilogue: sums(acc, 20, 20)}
}

func windowOf(d, acc dtype.DType) kernel.Kernel {
	x := kernel.Image{Port: kernel.Port{DType: d, Len: 5 * 81}, Strides: [4]int{405, 81, 9, 1}}
	f := kernel.Image{Port: kernel.Port{DType: d, Len: 7 * 45}, Strides: [4]int{45, 9, 3, 1}}
	return &kernel.Convolution{Name: "k", N: 1, C: 5, H: 9, W: 9, K: 7, R: 3, S: 3, P: 9, Q: 9, Groups: 1, Stride: [2]int{1, 1},
		Dilation: [2]int{1, 1}, Pad: [2]int{1, 1}, X: x, Filter: f, Acc: acc, Epilogue: sums(acc, 1, 7, 9, 9)}
}

// TestSquares: products whose instructions sum two rows by two columns, of all types that have such, with whole tiles and
// parts of them.
func TestSquares(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	var f cpu.Features
	for _, p := range kerneltest.Arm {
		if p.I8MM && p.BF16 {
			f = p.Features
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		a, b, acc dtype.DType
		instr     string
	}{
		{dtype.I8, dtype.I8, dtype.I32, "smmla"}, {dtype.U8, dtype.U8, dtype.I32, "ummla"},
		{dtype.U8, dtype.I8, dtype.I32, "usmmla"}, {dtype.I8, dtype.U8, dtype.I32, "usmmla"},
		{dtype.BF16, dtype.BF16, dtype.F32, "bfmmla"},
	} {
		for _, extents := range [][3]int{{8, 12, 64}, {9, 13, 5}, {15, 27, 37}, {23, 14, 16}, {4, 26, 41}} {
			m, n, depth := extents[0], extents[1], extents[2]
			k := &kernel.Contraction{Name: "squares", M: m, N: n, K: depth, Acc: c.acc,
				A: kernel.Matrix{Port: kernel.Port{DType: c.a, Len: m * depth}, Row: depth, Col: 1},
				B: kernel.Matrix{Port: kernel.Port{DType: c.b, Len: depth * n, Const: n%2 == 0}, Row: n, Col: 1}}
			k.Epilogue = kernel.Epilogue{Access: []kernel.Access{dense(c.acc, []int{m, n})}}
			k.Epilogue.Access[0].Write = true
			body := kernel.NewBody()
			body.Store(2, body.Input(c.acc))
			k.Epilogue.Body = body.Body()
			code, err := CompileFor(k, f)
			require.NoError(t, err)
			require.Contains(t, code.Listing(), "\t"+c.instr+" ", "%s", k)
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.Check(r, k, code, 8))
			}
			code.Close()
		}
	}
}
