package modelfile

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
)

// TestNarrow: f32 stands for the types that .npy files do not have, if it is one of their numbers; all others stay.
func TestNarrow(t *testing.T) {
	nan := float32(math.NaN())
	in := []*buf.Buffer{buf.From([]float32{1.5, nan}, 2), buf.From([]float32{448}, 1), buf.From([]float32{0.1}, 1), buf.From([]int64{7}, 1),
		buf.From([]float32{3}, 1)}
	require.NoError(t, Narrow(in, []dtype.DType{dtype.BF16, dtype.F8E4M3FN, dtype.F16, dtype.BF16}))
	for i, want := range []dtype.DType{dtype.BF16, dtype.F8E4M3FN, dtype.F32, dtype.I64, dtype.F32} {
		require.Equal(t, want, in[i].DType, "input %d", i)
	}
	require.Equal(t, 1.5, in[0].Float64(0))
	require.True(t, math.IsNaN(in[0].Float64(1)))
	require.Equal(t, []float32{448}, buf.Slice[float32](Widen(in[1])))

	err := Narrow([]*buf.Buffer{buf.From([]float32{1}, 1), buf.From([]float32{1, 2, 3, 0.1}, 2, 2)}, []dtype.DType{dtype.F32, dtype.BF16})
	require.ErrorContains(t, err, "input 1: the model takes bf16, which has no 0.10000000149011612")
}

// TestNarrowInputs: a function of bf16 runs on numbers of files of f32.
func TestNarrowInputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "twice.mlir")
	require.NoError(t, os.WriteFile(path, []byte(`func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %y = stablehlo.add %x, %x : tensor<2xbf16>
  return %y : tensor<2xbf16>
}`), 0o600))
	in := []*buf.Buffer{buf.From([]float32{1.5, -2}, 2)}
	module, err := LoadFor(path, in)
	require.NoError(t, err)
	out, err := host.Run(module, in)
	require.NoError(t, err)
	require.Equal(t, []float32{3, -4}, buf.Slice[float32](Widen(out[0])))
}
