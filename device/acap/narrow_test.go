package acap_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// TestNarrowProducts compiles products of integers that are as narrow as their operands; they
// are matrix products for the array.
func TestNarrowProducts(t *testing.T) {
	for _, e := range []string{"i8", "i16"} {
		typ := "tensor<64x64x" + e + ">"
		module, err := mlir.Parse("narrow.mlir", []byte("func.func @main(%a: "+typ+", %b: "+typ+") -> "+typ+` {
  %0 = "aten.mm"(%a, %b) : (`+typ+", "+typ+") -> "+typ+`
  return %0 : `+typ+`
}
`))
		require.NoError(t, err)
		exe, err := acap.Device().Compile(context.Background(), module)
		require.NoError(t, err)
		defer exe.Close()
		r := acap.ReportOf(exe)
		require.Len(t, r.Kernels, 1)
		require.Equal(t, workload.KindContraction, r.Kernels[0].Work.Kind, e)
	}
}
