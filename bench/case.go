package main

import (
	"fmt"
	"math"
	"regexp"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// benchmark is one case. build returns the inputs that change between runs, the
// weights being constants of the closure, and the computation.
type benchmark struct {
	name  string
	flops float64 // per run; 0 if bytes count
	bytes float64 // compulsory traffic per run
	// record includes recording and a cached barrier in what is timed; otherwise
	// the compiled program runs, as sessions of other runtimes do.
	record bool
	build  func() (inputs []*tensor.Tensor, run func(x []*tensor.Tensor) *tensor.Tensor)
}

type tensors = []*tensor.Tensor

var benchmarks = append(append(matrices(), pointwise()...), append(rows(), models()...)...)

func find(pattern string) ([]benchmark, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	var out []benchmark
	for _, b := range benchmarks {
		if re.MatchString(b.name) {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no case matches %q", pattern)
	}
	return out, nil
}

// matrices are the matrix products; names ending in _dyn take the weight as an
// input, the others have it constant.
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
	return append(out, product("bmm_12x128x64x128", 12, 128, 64, 128, true))
}

func product(name string, batch, m, k, n int, dynamic bool) benchmark {
	b := benchmark{name: name, flops: 2 * float64(batch) * float64(m) * float64(k) * float64(n)}
	if m == 1 {
		b.bytes = 4 * float64(k) * float64(n)
		b.flops = 0
	}
	b.build = func() (tensors, func(tensors) *tensor.Tensor) {
		x, w := tensor.Randn(m, k), tensor.Randn(k, n)
		if batch > 1 {
			x, w = tensor.Randn(batch, m, k), tensor.Randn(batch, k, n)
		}
		if dynamic {
			return tensors{x, w}, func(t tensors) *tensor.Tensor { return t[0].MatMul(t[1]) }
		}
		return tensors{x}, func(t tensors) *tensor.Tensor { return t[0].MatMul(w.To(t[0].Device())) }
	}
	return b
}

// pointwise are the chains over 10³, 10⁶ and 10⁷ elements.
func pointwise() []benchmark {
	var out []benchmark
	for _, s := range []struct {
		suffix string
		n      int
	}{{"1e3", 1e3}, {"1e6", 1e6}, {"1e7", 1e7}} {
		n := s.n
		out = append(out,
			benchmark{name: "add_" + s.suffix, bytes: 12 * float64(n), build: chain(2, n, func(t tensors) *tensor.Tensor {
				return t[0].Add(t[1])
			})},
			benchmark{name: "gelu_" + s.suffix, bytes: 16 * float64(n), build: chain(3, n, func(t tensors) *tensor.Tensor {
				return t[0].Mul(t[1]).Add(t[2]).GELU()
			})},
			benchmark{name: "sig_" + s.suffix, bytes: 8 * float64(n), build: chain(1, n, func(t tensors) *tensor.Tensor {
				x := t[0]
				return x.Sigmoid().Mul(x.Tanh()).Add(x.Mul(x).Neg().Exp())
			})})
	}
	return out
}

// chain makes a case of a function of some vectors of n numbers.
func chain(inputs, n int, f func(tensors) *tensor.Tensor) func() (tensors, func(tensors) *tensor.Tensor) {
	return func() (tensors, func(tensors) *tensor.Tensor) {
		var in tensors
		for range inputs {
			in = append(in, tensor.Randn(n))
		}
		return in, f
	}
}

// rows are the reductions and normalizations of rows.
func rows() []benchmark {
	matrix := func(r, c int, f func(x *tensor.Tensor) *tensor.Tensor) func() (tensors, func(tensors) *tensor.Tensor) {
		return func() (tensors, func(tensors) *tensor.Tensor) {
			return tensors{tensor.Randn(r, c)}, func(t tensors) *tensor.Tensor { return f(t[0]) }
		}
	}
	norm := nn.NewLayerNorm(768)
	return []benchmark{
		{name: "sum_4096x768", bytes: 4 * 4096 * 768, build: matrix(4096, 768, func(x *tensor.Tensor) *tensor.Tensor {
			return x.SumDim([]int{-1})
		})},
		{name: "softmax_1024", bytes: 8 << 20, build: matrix(1024, 1024, func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("_softmax", x, -1, false)[0]
		})},
		{name: "layernorm_4096x768", bytes: 8 * 4096 * 768, build: func() (tensors, func(tensors) *tensor.Tensor) {
			return tensors{tensor.Randn(4096, 768)}, moduleRun(norm)
		}},
	}
}

// moduleRun runs a module, moved once to the device of its input.
func moduleRun(m nn.Module) func(tensors) *tensor.Tensor {
	moved := false
	return func(t tensors) *tensor.Tensor {
		if !moved {
			m, moved = m.To(t[0].Device()), true
		}
		return m.Forward(t[0])
	}
}

func moduleCase(name string, flops float64, m func() nn.Module, dims ...int) benchmark {
	return benchmark{name: name, flops: flops, build: func() (tensors, func(tensors) *tensor.Tensor) {
		return tensors{tensor.Randn(dims...)}, moduleRun(m())
	}}
}

// models are the convolutions, the models and the overheads.
func models() []benchmark {
	const block = 2.*128*768*768*12 + 2*2.*12*128*128*64
	dw := moduleCase("conv_dw", 0, func() nn.Module {
		return nn.NewDepthwiseConv2d(96, 3).With(1, 1)
	}, 1, 96, 56, 56)
	dw.bytes = 8 * 96 * 56 * 56
	return []benchmark{
		moduleCase("conv_3x3", 2.*64*64*9*56*56, func() nn.Module { return nn.NewConv2d(64, 64, 3).With(1, 1) }, 1, 64, 56, 56),
		moduleCase("conv_7x7s2", 2.*64*3*49*112*112, func() nn.Module { return nn.NewConv2d(3, 64, 7).With(2, 3) }, 1, 3, 224, 224),
		dw,
		moduleCase("mlp", 2.*64*(784*512+512*512+5120), mlp, 64, 784),
		moduleCase("lenet", 64*2.*(6*25*784+16*150*100+400*120+120*84+840), lenet, 64, 1, 28, 28),
		moduleCase("resnet18", 3.63e9, resnet18, 1, 3, 224, 224),
		moduleCase("gpt2_block", block, func() nn.Module { return newBlock(true) }, 1, 128, 768),
		moduleCase("gpt2_12", 12*block, gpt2, 1, 128, 768),
		moduleCase("bert_layer", block, func() nn.Module { return newBlock(false) }, 1, 128, 768),
		{name: "ovh_add4", build: chain(2, 4, add4)},
		{name: "ovh_add4_build", record: true, build: chain(2, 4, add4)},
		{name: "ovh_chain100", build: chain(2, 4, chain100)},
		{name: "ovh_chain100_build", record: true, build: chain(2, 4, chain100)},
	}
}

func add4(t tensors) *tensor.Tensor { return t[0].Add(t[1]) }

func chain100(t tensors) *tensor.Tensor {
	x := t[0]
	for range 50 {
		x = x.Add(t[1]).Tanh()
	}
	return x
}

var scale = 1 / math.Sqrt(64)
