package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// Operations of a forward pass of a batch of 64, and of a transformer layer.
const (
	mlpFlops   = 2. * 64 * (784*512 + 512*512 + 512*10)
	lenetFlops = 2. * 64 * (6*25*784 + 16*150*100 + 400*120 + 120*84 + 84*10)
	blockFlops = 2.*tokens*width*width*12 + 2*2.*heads*tokens*tokens*(width/heads)

	// The first convolution, the others, and the last layer of the small ResNet, a batch of 32.
	stemFlops   = 2. * 32 * 3 * 16 * 9 * 1024
	resnetFlops = stemFlops + 2.*32*(2*16*16*9*1024+(16*32*9+32*32*9+16*32)*256+(32*64*9+64*64*9+32*64)*64+64*10)
	// Four layers of the small transformer and the last one, a batch of 8.
	transformerFlops = 8 * (4*(2.*smallTokens*smallWidth*smallWidth*12+2*2.*smallTokens*smallTokens*smallWidth) + 2.*smallWidth*10)
)

// convolutions are single layers.
func convolutions() []benchmark {
	depthwise := moduleCase("conv_dw", 0, func() nn.Module {
		return nn.NewDepthwiseConv2d(96, 3).With(1, 1)
	}, 1, 96, 56, 56)
	depthwise.bytes = 8 * 96 * 56 * 56
	return []benchmark{
		moduleCase("conv_3x3", 2.*64*64*9*56*56, func() nn.Module {
			return nn.NewConv2d(64, 64, 3).With(1, 1)
		}, 1, 64, 56, 56),
		moduleCase("conv_7x7s2", 2.*64*3*49*112*112, func() nn.Module {
			return nn.NewConv2d(3, 64, 7).With(2, 3)
		}, 1, 3, 224, 224),
		depthwise,
	}
}

// models are inference with constant weights.
func models() []benchmark {
	return []benchmark{
		moduleCase("mlp", mlpFlops, mlp, 64, 784),
		moduleCase("lenet", lenetFlops, lenet, 64, 1, 28, 28),
		moduleCase("resnet18", 3.63e9, resnet18, 1, 3, 224, 224),
		moduleCase("gpt2_block", blockFlops, func() nn.Module { return newBlock(true) }, 1, tokens, width),
		moduleCase("gpt2_12", 12*blockFlops, gpt2, 1, tokens, width),
		moduleCase("bert_layer", blockFlops, func() nn.Module { return newBlock(false) }, 1, tokens, width),
	}
}

// recurrences are sequences of one sample through recurrent layers: KIND_WIDTH_STEPS, and LAYERS of them where a name
// has four parts.
func recurrences() (list []benchmark) {
	kinds := map[string]func(in, hidden int, options ...nn.RecurrentOption) *nn.Recurrent{"gru": nn.NewGRU, "lstm": nn.NewLSTM}
	for _, kind := range []string{"gru", "lstm"} {
		for _, size := range []struct{ width, steps, layers int }{{128, 1, 1}, {256, 20, 1}, {64, 100, 1}, {128, 8, 14}} {
			name := fmt.Sprintf("%s_%d_%d", kind, size.width, size.steps)
			if size.layers > 1 {
				name = fmt.Sprintf("%s_%d", name, size.layers)
			}
			b := moduleCase(name, 0, func() nn.Module {
				return kinds[kind](size.width, size.width, nn.Layers(size.layers))
			}, 1, size.steps, size.width)
			b.loops = size.steps > 32
			list = append(list, b)
		}
	}
	return list
}

func moduleCase(name string, flops float64, m func() nn.Module, dims ...int) benchmark {
	return benchmark{name: name, flops: flops, build: func(dev device.Device) work {
		module := m()
		nn.Eval(module)
		nn.To(module, dev)
		nn.Freeze(module)
		return compiled(dev, tensors{tensor.Randn(dims...)}, func(t tensors) *tensor.Tensor {
			return module.Forward(t[0])
		})
	}}
}

// training are steps of gradient descent: forward, loss, gradients and update are
// recorded and run as one program, and the new parameters are inputs of the next.
func training() []benchmark {
	return []benchmark{
		// Every product but the first has a gradient for each of its operands.
		{name: "mlp_train", flops: 3*mlpFlops - 2.*64*784*512, build: func(dev device.Device) work {
			return descent(dev, mlp(), tensor.Randn(64, 784))
		}},
		{name: "lenet_train", flops: 3*lenetFlops - 2.*64*6*25*784, build: func(dev device.Device) work {
			return descent(dev, lenet(), tensor.Randn(64, 1, 28, 28))
		}},
		{name: "resnet_train", flops: 3*resnetFlops - stemFlops, build: func(dev device.Device) work {
			return descent(dev, smallResNet(), tensor.Randn(32, 3, 32, 32))
		}},
		// The first product's input is normed first, so that it has a gradient, too.
		{name: "transformer_train", flops: 3 * transformerFlops, build: func(dev device.Device) work {
			return descent(dev, transformer(), tensor.Randn(8, smallTokens, smallWidth))
		}},
	}
}

const (
	classes      = 10
	learningRate = 0.01
)

func descent(dev device.Device, m nn.Module, x *tensor.Tensor) work {
	labels := make([]int64, x.Size(0))
	for i := range labels {
		labels[i] = rand.Int64N(classes)
	}
	x, y := x.To(dev), tensor.FromSlice(labels).To(dev)
	nn.To(m, dev)
	parameters := nn.Parameters(m)
	opt := &optim.SGD{LR: learningRate}
	return work{step: func() {
		loss := m.Forward(x).CrossEntropyLoss(y)
		gradients := tensor.Grad(tensors{loss}, parameters, nil)
		check(opt.Step(context.Background(), parameters, gradients, loss))
	}}
}
