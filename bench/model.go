package main

import (
	"math"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// mlp is 784-512-512-10 with ReLU.
func mlp() nn.Module {
	return nn.Sequential(nn.NewLinear(784, 512), nn.ReLU, nn.NewLinear(512, 512), nn.ReLU,
		nn.NewLinear(512, 10))
}

// lenet is the model of 1998 with ReLU and maxima, on 28 × 28.
func lenet() nn.Module {
	return nn.Sequential(
		nn.NewConv2d(1, 6, 5).With(1, 2), nn.ReLU, nn.MaxPool2d(2, 2, 0),
		nn.NewConv2d(6, 16, 5), nn.ReLU, nn.MaxPool2d(2, 2, 0), nn.Flatten,
		nn.NewLinear(400, 120), nn.ReLU, nn.NewLinear(120, 84), nn.ReLU, nn.NewLinear(84, 10))
}

// basicBlock is two 3 × 3 convolutions with a residual connection.
type basicBlock struct {
	Main     nn.Module
	Shortcut nn.Module // nil is the identity
}

func newBasicBlock(in, out, stride int) nn.Module {
	b := &basicBlock{Main: nn.Sequential(
		nn.NewConv2d(in, out, 3).With(stride, 1).NoBias(), nn.NewBatchNorm2d(out), nn.ReLU,
		nn.NewConv2d(out, out, 3).With(1, 1).NoBias(), nn.NewBatchNorm2d(out))}
	if stride != 1 || in != out {
		b.Shortcut = nn.Sequential(nn.NewConv2d(in, out, 1).With(stride, 0).NoBias(), nn.NewBatchNorm2d(out))
	}
	return b
}

func (b *basicBlock) Forward(x *tensor.Tensor) *tensor.Tensor {
	y := b.Main.Forward(x)
	if b.Shortcut != nil {
		x = b.Shortcut.Forward(x)
	}
	return y.Add(x).ReLU()
}

// resnet18 takes [N 3 224 224] to 1000 classes (He and others, 2015).
func resnet18() nn.Module {
	layers := []nn.Module{nn.NewConv2d(3, 64, 7).With(2, 3).NoBias(), nn.NewBatchNorm2d(64), nn.ReLU,
		nn.MaxPool2d(3, 2, 1)}
	in := 64
	for _, s := range []struct{ out, stride int }{{64, 1}, {128, 2}, {256, 2}, {512, 2}} {
		layers = append(layers, newBasicBlock(in, s.out, s.stride), newBasicBlock(s.out, s.out, 1))
		in = s.out
	}
	return nn.Sequential(append(layers, averaged(2, 3), nn.NewLinear(512, 1000))...)
}

// averaged is the mean over dimensions.
func averaged(dims ...int) nn.Module {
	return nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x.MeanDim(dims) })
}

// smallResNet takes [N 3 32 32] to ten classes, by three blocks of 16, 32 and 64 channels.
func smallResNet() nn.Module {
	return nn.Sequential(nn.NewConv2d(3, 16, 3).With(1, 1).NoBias(), nn.NewBatchNorm2d(16), nn.ReLU,
		newBasicBlock(16, 16, 1), newBasicBlock(16, 32, 2), newBasicBlock(32, 64, 2), averaged(2, 3), nn.NewLinear(64, classes))
}

// transformer takes [N 64 256] to ten classes, by four layers of GPT-2's kind with four
// heads.
func transformer() nn.Module {
	var layers []nn.Module
	for range 4 {
		layers = append(layers, newBlockOf(true, smallTokens, smallWidth, smallHeads))
	}
	return nn.Sequential(append(layers, averaged(1), nn.NewLinear(smallWidth, classes))...)
}

// The extents of GPT-2 small and BERT base, on 128 tokens.
const (
	tokens = 128
	width  = 768
	heads  = 12
)

// The extents of the transformer that is trained.
const (
	smallTokens = 64
	smallWidth  = 256
	smallHeads  = 4
)

// block is a transformer layer: GPT-2's (pre-norm, causal, tanh GELU) or BERT's
// (post-norm, erf GELU).
type block struct {
	causal                 bool
	heads                  int
	Norm1, Norm2           *nn.LayerNorm
	QKV, Project, Up, Down *nn.Linear
	Mask                   *tensor.Tensor
}

func newBlock(causal bool) nn.Module { return newBlockOf(causal, tokens, width, heads) }

func newBlockOf(causal bool, tokens, width, heads int) nn.Module {
	mask := tensor.FullLike(-1e9, tensor.Zeros(1).DType(), tokens, tokens).Triu(tensor.With("diagonal", 1))
	return &block{causal: causal, heads: heads, Norm1: nn.NewLayerNorm(width), Norm2: nn.NewLayerNorm(width),
		QKV: nn.NewLinear(width, 3*width), Project: nn.NewLinear(width, width),
		Up: nn.NewLinear(width, 4*width), Down: nn.NewLinear(4*width, width), Mask: mask}
}

func (b *block) attention(x *tensor.Tensor) *tensor.Tensor {
	n, t, width := x.Size(0), x.Size(1), x.Size(2)
	var parts []*tensor.Tensor
	for _, p := range b.QKV.Forward(x).Split(width, tensor.With("dim", 2)) {
		parts = append(parts, p.View([]int{n, t, b.heads, width / b.heads}).Transpose(1, 2))
	}
	scores := parts[0].MatMul(parts[1].Transpose(-2, -1)).MulScalar(1 / math.Sqrt(float64(width/b.heads)))
	if b.causal {
		scores = scores.Add(b.Mask)
	}
	weights := tensor.Call("_softmax", scores, -1, false)[0]
	y := weights.MatMul(parts[2]).Transpose(1, 2).Reshape([]int{n, t, width})
	return b.Project.Forward(y)
}

func (b *block) Forward(x *tensor.Tensor) *tensor.Tensor {
	if b.causal {
		x = x.Add(b.attention(b.Norm1.Forward(x)))
		h := b.Up.Forward(b.Norm2.Forward(x)).GELU(tensor.With("approximate", "tanh"))
		return x.Add(b.Down.Forward(h))
	}
	x = b.Norm1.Forward(x.Add(b.attention(x)))
	return b.Norm2.Forward(x.Add(b.Down.Forward(b.Up.Forward(x).GELU())))
}

// gpt2 is twelve blocks.
func gpt2() nn.Module {
	var layers []nn.Module
	for range 12 {
		layers = append(layers, newBlock(true))
	}
	return nn.Sequential(layers...)
}
