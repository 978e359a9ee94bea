package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

var benchmarks = []struct {
	name  string
	build func(n *net) *mlir.Operation
}{
	{"add4", func(n *net) *mlir.Operation { return n.done(n.add(n.input(4), n.input(4))) }},
	{"softmax1024", func(n *net) *mlir.Operation { return n.done(n.softmax(n.input(1024, 1024))) }},
	{"layernorm4096x768", func(n *net) *mlir.Operation {
		return n.done(n.layerNorm(n.input(4096, 768), n.weight(768), n.weight(768)))
	}},
	{"mlp", func(n *net) *mlir.Operation {
		h := n.relu(n.linear(n.input(64, 784), n.weight(512, 784), n.weight(512)))
		h = n.relu(n.linear(h, n.weight(512, 512), n.weight(512)))
		return n.done(n.linear(h, n.weight(10, 512), n.weight(10)))
	}},
	{"lenet", func(n *net) *mlir.Operation { return n.done(n.lenet(n.input(64, 1, 28, 28))) }},
	{"resnet18", func(n *net) *mlir.Operation { return n.done(n.resnet18(n.input(1, 3, 224, 224))) }},
	{"gpt2_block", func(n *net) *mlir.Operation { return n.done(n.block(n.input(1, 128, 768), 12, nil)) }},
	{"gpt2_12", func(n *net) *mlir.Operation {
		x := n.input(1, 128, 768)
		for range 12 {
			x = n.block(x, 12, nil)
		}
		return n.done(x)
	}},
}

func BenchmarkRun(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(c.name, func(b *testing.B) {
			n := newNet()
			p, err := Compile(c.build(n), Options{ConstInputs: n.consts})
			require.NoError(b, err)
			out, err := p.Run(context.Background(), n.inputs)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, p.RunInto(context.Background(), n.inputs, out))
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(c.name, func(b *testing.B) {
			n := newNet()
			f := c.build(n)
			for b.Loop() {
				p, err := Compile(f, Options{ConstInputs: n.consts})
				require.NoError(b, err)
				p.Close()
			}
		})
	}
}
