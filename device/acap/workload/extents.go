package workload

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// Extents names the sizes of the kernel and the type it computes in: "64x64x32 f32" of a product.
func (k *Kernel) Extents() string {
	var t dtype.DType
	var sizes []int64
	add := func(list ...int) {
		for _, n := range list {
			sizes = append(sizes, int64(n))
		}
	}
	switch k.Kind {
	case KindContraction:
		c := &k.Contraction
		if t = c.Acc; c.Batch > 1 {
			add(c.Batch)
		}
		add(c.M, c.N, c.K)
	case KindPointwise:
		t, sizes = k.Pointwise.DType, []int64{k.Pointwise.Elements}
	case KindNormalize:
		t = k.Normalize.DType
		add(k.Normalize.Rows, k.Normalize.Cols)
	case KindAttention:
		a := &k.Attention
		t = a.DType
		add(a.Batch, a.Heads, a.Sq, a.Sk, a.D)
	case KindConvolution:
		c := &k.Convolution
		t = c.Acc
		add(c.N, c.C, c.H, c.W, c.K, c.R, c.S)
	case KindMove:
		t, sizes = k.Move.DType, []int64{k.Move.Elements}
	}
	text := make([]string, len(sizes))
	for i, n := range sizes {
		text[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(text, "x") + " " + t.String()
}
