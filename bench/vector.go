package main

import (
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// pointwise are the chains over 10³, 10⁶ and 10⁷ elements.
func pointwise() []benchmark {
	chains := []struct {
		name   string
		inputs int
		f      function
	}{
		{"add", 2, add},
		{"gelu", 3, func(t tensors) *tensor.Tensor { return t[0].Mul(t[1]).Add(t[2]).GELU() }},
		{"sig", 1, func(t tensors) *tensor.Tensor {
			x := t[0]
			return x.Sigmoid().Mul(x.Tanh()).Add(x.Mul(x).Neg().Exp())
		}},
	}
	var out []benchmark
	for _, s := range []struct {
		suffix string
		n      int
	}{{"_1e3", 1e3}, {"_1e6", 1e6}, {"_1e7", 1e7}} {
		for _, c := range chains {
			traffic := 4 * float64(c.inputs+1) * float64(s.n)
			out = append(out, benchmark{name: c.name + s.suffix, bytes: traffic,
				build: func(dev device.Device) work {
					return compiled(dev, vectors(c.inputs, s.n), c.f)
				}})
		}
	}
	return out
}

func vectors(count, n int) tensors {
	list := make(tensors, count)
	for i := range list {
		list[i] = tensor.Randn(n)
	}
	return list
}

func add(t tensors) *tensor.Tensor { return t[0].Add(t[1]) }

// rows are the reductions and normalizations of rows.
func rows() []benchmark {
	matrix := func(r, c int, f function) func(device.Device) work {
		return func(dev device.Device) work { return compiled(dev, tensors{tensor.Randn(r, c)}, f) }
	}
	norm := moduleCase("layernorm_4096x768", 0, func() nn.Module { return nn.NewLayerNorm(768) }, 4096, 768)
	norm.bytes = 8 * 4096 * 768
	return []benchmark{
		{name: "sum_4096x768", bytes: 4 * 4096 * 768, build: matrix(4096, 768, func(t tensors) *tensor.Tensor {
			return t[0].SumDim([]int{-1})
		})},
		{name: "softmax_1024", bytes: 8 << 20, build: matrix(1024, 1024, func(t tensors) *tensor.Tensor {
			return tensor.Call("_softmax", t[0], -1, false)[0]
		})},
		norm,
	}
}
