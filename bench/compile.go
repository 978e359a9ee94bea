package main

import (
	"context"
	"runtime"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// compiles are compilations without a run. ACAP_COMPILE_PARALLELISM says how many goroutines take part. Two models of
// other shapes that are compiled at once, each by a goroutine of its own, show what a second core is worth to a
// compilation on this machine.
func compiles() []benchmark {
	return []benchmark{
		{name: "compile_layers_12", once: true, build: func(dev device.Device) work { return compileOnly(dev, twelveLayers(dev, smallTokens)) }},
		{name: "compile_layers_12_twice", once: true, build: func(dev device.Device) work {
			return compileOnly(dev, twelveLayers(dev, smallTokens), twelveLayers(dev, 2*smallTokens))
		}},
	}
}

// twelveLayers records the calls of the transformer that is trained, for a number of tokens.
func twelveLayers(dev device.Device, tokens int) func() *tensor.Tensor {
	var layers []nn.Module
	for range 12 {
		layers = append(layers, newBlockOf(true, tokens, smallWidth, smallHeads))
	}
	model := nn.Sequential(layers...)
	nn.Eval(model)
	nn.To(model, dev)
	nn.Freeze(model)
	x := tensor.Randn(1, tokens, smallWidth).To(dev)
	return func() *tensor.Tensor { return model.Forward(x) }
}

// compileOnly times the compilation of what models record, of all at once.
func compileOnly(dev device.Device, record ...func() *tensor.Tensor) work {
	r := lazy.For(dev)
	return work{
		prepare: func() {
			r.Clear()
			runtime.GC() // and once more by who measures: else some compilations find kernels of the one before
		},
		timed: func() (float64, float64) {
			var recorded []*tensor.Tensor
			for _, f := range record {
				recorded = append(recorded, f())
			}
			begin := clock()
			var wait sync.WaitGroup
			for _, y := range recorded {
				wait.Go(func() {
					exe, err := lazy.Executable(context.Background(), y)
					check(err)
					exe.Close()
				})
			}
			wait.Wait()
			return (clock() - begin).Seconds(), 0
		},
	}
}
