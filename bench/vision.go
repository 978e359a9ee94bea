package main

import (
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// mobilenet takes [N 3 224 224] to 1000 classes by inverted residuals (Sandler and others, 2018).
func mobilenet() nn.Module {
	relu6 := nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x.ReLU6() })
	layers := []nn.Module{nn.NewConv2d(3, 32, 3).With(2, 1).NoBias(), nn.NewBatchNorm2d(32), relu6}
	in := 32
	for _, s := range []struct{ wider, out, times, stride int }{{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2},
		{6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}} {
		for i := range s.times {
			stride, wide := s.stride, in*s.wider
			if i > 0 {
				stride = 1
			}
			var block []nn.Module
			if s.wider > 1 {
				block = append(block, nn.NewConv2d(in, wide, 1).NoBias(), nn.NewBatchNorm2d(wide), relu6)
			}
			block = append(block, nn.NewDepthwiseConv2d(wide, 3).With(stride, 1).NoBias(), nn.NewBatchNorm2d(wide), relu6,
				nn.NewConv2d(wide, s.out, 1).NoBias(), nn.NewBatchNorm2d(s.out))
			layers = append(layers, &inverted{nn.Sequential(block...), stride == 1 && in == s.out})
			in = s.out
		}
	}
	return nn.Sequential(append(layers, nn.NewConv2d(in, 1280, 1).NoBias(), nn.NewBatchNorm2d(1280), relu6, averaged(2, 3),
		nn.NewLinear(1280, 1000))...)
}

// inverted is an inverted residual, with a connection around it if it keeps the shape.
type inverted struct {
	Main     nn.Module
	residual bool
}

func (b *inverted) Forward(x *tensor.Tensor) *tensor.Tensor {
	if y := b.Main.Forward(x); !b.residual {
		return y
	} else {
		return x.Add(y)
	}
}

// The extents of the small vision transformer: patches of 16 × 16 of an image of 224 × 224.
const (
	patchSize   = 16
	patchWidth  = 384
	patchHeads  = 6
	patchNumber = (224 / patchSize) * (224 / patchSize)
)

// vit takes [N 3 224 224] to 1000 classes: patches, twelve layers, the mean of all tokens
// (Dosovitskiy and others, 2021).
func vit() nn.Module {
	layers := []nn.Module{nn.NewConv2d(3, patchWidth, patchSize).With(patchSize, 0),
		nn.Func(func(x *tensor.Tensor) *tensor.Tensor {
			return x.Flatten(tensor.With("start_dim", 2)).Transpose(1, 2)
		})}
	for range 12 {
		layers = append(layers, newBlockOf(false, patchNumber, patchWidth, patchHeads))
	}
	return nn.Sequential(append(layers, averaged(1), nn.NewLinear(patchWidth, 1000))...)
}
