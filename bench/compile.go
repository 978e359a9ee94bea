package main

import (
	"context"
	"runtime"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// compiles are compilations without a run. ACAP_COMPILE_PARALLELISM says how many goroutines take part.
func compiles() []benchmark {
	return []benchmark{{name: "compile_layers_12", once: true, build: twelveLayers}}
}

// twelveLayers are those of the transformer that is trained.
func twelveLayers(dev device.Device) work {
	var layers []nn.Module
	for range 12 {
		layers = append(layers, newBlockOf(true, smallTokens, smallWidth, smallHeads))
	}
	model := nn.Sequential(layers...)
	nn.Eval(model)
	nn.To(model, dev)
	nn.Freeze(model)
	x := tensor.Randn(1, smallTokens, smallWidth).To(dev)
	return compileOnly(dev, func() *tensor.Tensor { return model.Forward(x) })
}

// compileOnly times the compilation of what f records.
func compileOnly(dev device.Device, f func() *tensor.Tensor) work {
	r := lazy.For(dev)
	return work{
		prepare: func() {
			r.Clear()
			runtime.GC() // and once more by who measures: else some compilations find kernels of the one before
		},
		timed: func() (float64, float64) {
			y := f()
			begin := time.Now()
			exe, err := lazy.Executable(context.Background(), y)
			check(err)
			seconds := time.Since(begin).Seconds()
			exe.Close()
			return seconds, 0
		},
	}
}
