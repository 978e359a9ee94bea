package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// TestEditedKernels: kernels of a text take the place of kernels of the same names, and a text that fits no kernel of
// the program is an error that says why.
func TestEditedKernels(t *testing.T) {
	const program = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}`
	compile := func(kernels string) (*Program, error) {
		module, err := mlir.Parse("test.mlir", []byte(program))
		require.NoError(t, err)
		return Compile(module.Funcs()[0], Options{Kernels: kernels})
	}
	run := func(kernels string) []float32 {
		p, err := compile(kernels)
		require.NoError(t, err)
		defer p.Close()
		out, err := p.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3), buf.From([]float32{10, 20, 30}, 3)})
		require.NoError(t, err)
		return buf.Slice[float32](out[0])
	}
	p, err := compile("")
	require.NoError(t, err)
	text := p.KernelText()
	p.Close()
	require.Equal(t, []float32{11, 22, 33}, run(text))
	require.Equal(t, []float32{-9, -18, -27}, run(strings.Replace(text, "= add f32", "= sub f32", 1)))
	for _, c := range []struct{ from, to, message string }{
		{"len=3", "len=4", "port 0 is f32 out len=4 in the text, and f32 out len=3 in the program"},
		{"= add f32", "= sum f32", `kernels: `},
		{`"k0`, `"k9`, "the program has no kernel of this name: its kernels are k0"},
		{"offset=0", "offset=1", "k0"},
	} {
		edited := strings.Replace(text, c.from, c.to, 1)
		require.NotEqual(t, text, edited)
		_, err := compile(edited)
		require.ErrorContains(t, err, c.message, edited)
	}
	_, err = compile(text + text)
	require.ErrorContains(t, err, "the text has two kernels of this name")
}
