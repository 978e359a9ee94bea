package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/native"
	"github.com/go-acap/acap/tensor/dtype"
)

// randomMask is added or hides, and may be the same for heads, queries or keys.
func randomMask(r *rand.Rand, a *kernel.Attention) {
	heads, size := a.Batch[0], a.Queries*a.Keys
	m := kernel.Matrix{Port: port(dtype.F32, heads*size, false), Batch: []int{size}, Row: a.Keys, Col: 1}
	if r.IntN(2) == 0 {
		m.DType, a.MaskIsBool = dtype.Bool, true
	}
	for _, stride := range []*int{&m.Batch[0], &m.Row, &m.Col} {
		if r.IntN(3) == 0 {
			*stride = 0
		}
	}
	a.Mask = &m
	a.Name += " masked"
}

// TestAttention walks attention of random shapes, whole, causal and masked.
func TestAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		name := arrays[i%4]
		heads, queries, keys := 1+r.IntN(5), 1+r.IntN(70), 1+r.IntN(70)
		dim, values := 8*(1+r.IntN(8)), 8*(1+r.IntN(8))
		d := []dtype.DType{dtype.F32, dtype.BF16}[r.IntN(2)]
		matrix := func(rows, cols int, write bool) kernel.Matrix {
			return kernel.Matrix{Port: port(d, heads*rows*cols, write), Batch: []int{rows * cols}, Row: cols, Col: 1}
		}
		k := &kernel.Attention{Batch: []int{heads}, Queries: queries, Keys: keys, Dim: dim, VDim: values,
			Name:  fmt.Sprintf("attention %d x %d x %d, %d and %d %v", heads, queries, keys, dim, values, d),
			Scale: 0.25, Causal: r.IntN(2) == 0, Acc: dtype.F32, Q: matrix(queries, dim, false),
			K: matrix(keys, dim, false), V: matrix(keys, values, false), O: matrix(queries, values, true)}
		if r.IntN(2) == 0 {
			randomMask(r, k)
		}
		c := &tileexact.Checker{Machine: preset(t, name), Native: native.Compile}
		v := check(t, c, k, r)
		if v.Skipped != "" || v.Err != nil || v.Elements != heads*queries*values {
			t.Errorf("%s on %s, %s: %v", v.Kernel, name, v.Mapping, v)
		}
	}
}
