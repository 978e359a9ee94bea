package stablehlo_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	exporter "github.com/go-acap/acap/translate/exporter/stablehlo"
	importer "github.com/go-acap/acap/translate/importer/stablehlo"
)

// The expansion of erf has the values of Go's in all of its range, and no function of chlo.
func TestDecomposeErf(t *testing.T) {
	x := buf.New(dtype.F32, []int{4001})
	for i := range x.Len() {
		x.SetFloat64(i, float64(i-2000)/400)
	}
	x.SetFloat64(0, math.Inf(-1))
	x.SetFloat64(1, 1e-20)
	m, err := mlir.Parse("erf.mlir", []byte(`func.func @main(%x: tensor<4001xf32>) -> tensor<4001xf32> {
		%0 = chlo.erf %x : tensor<4001xf32> -> tensor<4001xf32>
		return %0 : tensor<4001xf32>
	}`))
	require.NoError(t, err)
	require.NoError(t, exporter.Decompose(m))
	require.NoError(t, mlir.Verify(m))
	require.False(t, strings.Contains(m.Text(mlir.PrintOptions{}), "chlo"))
	require.NoError(t, importer.Lower(m))
	exe, err := host.Device().Compile(context.Background(), m)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), []*buf.Buffer{x})
	require.NoError(t, err)
	for i := range x.Len() {
		want := math.Erf(x.Float64(i))
		require.InDelta(t, want, out[0].Float64(i), 4e-7*math.Abs(want), "erf of %v", x.Float64(i))
	}
}
