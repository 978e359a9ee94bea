package quant_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// Scales that have no decimal form with a point are written as the bits of an f64: 0x41DFFFFFFFC00000 is 2147483647.
func TestOfScalesInHex(t *testing.T) {
	for _, text := range []string{"2147483647.0", "0x41DFFFFFFFC00000"} {
		typ, err := mlir.ParseType("!quant.uniform<i8:f32, " + text + ":3>")
		require.NoError(t, err)
		require.Equal(t, "!quant.uniform<i8:f32, 0x41DFFFFFFFC00000:3>", typ.String())
		u, ok := quant.Of(typ)
		require.True(t, ok)
		require.Equal(t, []float64{2147483647}, u.Scales)
		require.Equal(t, []int64{3}, u.Zeros)
	}
}
