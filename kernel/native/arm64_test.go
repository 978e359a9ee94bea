package native

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
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
