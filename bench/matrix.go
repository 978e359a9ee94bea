package main

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// matrices are the matrix products. Square and batched ones take both operands as
// inputs; of the others those whose names end in _dyn do, and the rest has the
// second one constant.
func matrices() []benchmark {
	var out []benchmark
	for _, n := range []int{64, 128, 256, 512, 1024, 2048} {
		out = append(out, product(fmt.Sprintf("mm_%d", n), 1, n, n, n, true))
	}
	for _, s := range []struct {
		name    string
		m, k, n int
	}{{"gemv_4096", 1, 4096, 4096}, {"mm_32x768x3072", 32, 768, 3072}, {"mm_128x768x768", 128, 768, 768}} {
		out = append(out, product(s.name, 1, s.m, s.k, s.n, false),
			product(s.name+"_dyn", 1, s.m, s.k, s.n, true))
	}
	return append(out, product("bmm_12x128x64x128", 12, 128, 64, 128, true),
		narrow("mm_1024_bf16", 1024, dtype.BF16, dtype.BF16), narrow("mm_1024_i8", 1024, dtype.I8, dtype.I32))
}

func product(name string, batch, m, k, n int, dynamic bool) benchmark {
	b := benchmark{name: name, flops: 2 * float64(batch) * float64(m) * float64(k) * float64(n)}
	if m == 1 {
		b.flops, b.bytes = 0, 4*float64(k)*float64(n)
	}
	b.build = func(dev device.Device) work {
		x, w := tensor.Randn(m, k), tensor.Randn(k, n)
		if batch > 1 {
			x, w = tensor.Randn(batch, m, k), tensor.Randn(batch, k, n)
		}
		if dynamic {
			return compiled(dev, tensors{x, w}, func(t tensors) *tensor.Tensor { return t[0].MatMul(t[1]) })
		}
		w = w.To(dev).Freeze()
		return compiled(dev, tensors{x}, func(t tensors) *tensor.Tensor { return t[0].MatMul(w) })
	}
	return b
}

// narrow is a product of n × n matrices of a narrow element type in a wider one.
func narrow(name string, n int, from, in dtype.DType) benchmark {
	flops := 2 * float64(n) * float64(n) * float64(n)
	return benchmark{name: name, flops: flops, build: func(dev device.Device) work {
		x, y := tensor.Uniform(-100, 100, n, n), tensor.Uniform(-100, 100, n, n)
		return compiled(dev, tensors{x.ToDtype(from), y.ToDtype(from)}, func(t tensors) *tensor.Tensor {
			return t[0].ToDtype(in).MatMul(t[1].ToDtype(in))
		})
	}}
}
