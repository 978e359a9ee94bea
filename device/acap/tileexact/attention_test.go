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

// TestAttention walks attention of random shapes, whole and causal.
func TestAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	walked := 0
	for i := range 24 {
		name := []string{"npu1", "npu2", "vek280"}[i%3]
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
		c := &tileexact.Checker{Machine: preset(t, name), Native: native.Compile}
		v := check(t, c, k, r)
		switch {
		case v.Skipped != "":
			t.Logf("%s on %s: %s", v.Kernel, name, v.Skipped)
		case v.Err != nil || v.Elements != heads*queries*values:
			t.Errorf("%s on %s, %s: %v", v.Kernel, name, v.Mapping, v)
		default:
			walked++
		}
	}
	if walked < 16 {
		t.Errorf("only %d kernels were walked", walked)
	}
}
