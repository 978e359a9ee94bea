package convolve

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// BenchmarkLayer has the cases of the project's benchmark and the layers of ResNet-18.
func BenchmarkLayer(b *testing.B) {
	for _, l := range []struct {
		name string
		c    *kernel.Convolution
	}{
		{"conv_3x3", kerneltest.Layer(64, 64, 56, 3, 1, 1, 1)},
		{"conv_7x7s2", kerneltest.Layer(3, 64, 224, 7, 2, 3, 1)},
		{"conv_dw", kerneltest.Layer(96, 96, 56, 3, 1, 1, 96)},
		{"128_3x3s2", kerneltest.Layer(64, 128, 56, 3, 2, 1, 1)},
		{"128_1x1s2", kerneltest.Layer(64, 128, 56, 1, 2, 0, 1)},
		{"128_3x3", kerneltest.Layer(128, 128, 28, 3, 1, 1, 1)},
		{"256_3x3", kerneltest.Layer(256, 256, 14, 3, 1, 1, 1)},
		{"512_3x3", kerneltest.Layer(512, 512, 7, 3, 1, 1, 1)},
		{"1x1", kerneltest.Layer(256, 64, 56, 1, 1, 0, 1)},
		{"lenet1", kerneltest.Layer(1, 6, 28, 5, 1, 2, 1)},
		{"lenet2", kerneltest.Layer(6, 16, 14, 5, 1, 0, 1)},
	} {
		b.Run(l.name, func(b *testing.B) { benchmark(b, l.c) })
	}
	for _, t := range [][2]dtype.DType{{dtype.F64, dtype.F64}, {dtype.I8, dtype.I32}} {
		for name, c := range map[string]*kernel.Convolution{
			"conv_3x3": kerneltest.Layer(64, 64, 56, 3, 1, 1, 1), "conv_dw": kerneltest.Layer(96, 96, 56, 3, 1, 1, 96),
		} {
			c.X.DType, c.Filter.DType, c.Acc = t[0], t[0], t[1]
			c.Epilogue.Access[0].DType, c.Epilogue.Access[1].DType = t[1], t[1]
			body := kernel.NewBody()
			body.Store(3, body.Binary(kernel.Add, body.Input(t[1]), body.Load(2, t[1])))
			c.Epilogue.Body = body.Body()
			b.Run(name+"/"+t[0].String(), func(b *testing.B) { benchmark(b, c) })
		}
	}
}

func benchmark(b *testing.B, c *kernel.Convolution) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		b.Skip("no vector instructions")
	}
	code, err := Compile(c, f, emit.Processor, portableNest)
	require.NoError(b, err)
	defer code.Close()
	kerneltest.BenchmarkConvolution(b, c, code)
}
