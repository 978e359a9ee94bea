package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/npy"
)

// TestFaults runs a product with one fault at a time and looks for what is said of it.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	model, input := filepath.Join(dir, "product.mlir"), filepath.Join(dir, "ones.npy")
	require.NoError(t, os.WriteFile(model, []byte(`func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
`), 0o644))
	ones := buf.New(dtype.F32, []int{64, 64})
	for i := range ones.Len() {
		ones.SetFloat64(i, 1)
	}
	require.NoError(t, npy.WriteFile(input, ones))
	for _, c := range []struct {
		fault, out, err string
	}{
		{"slow:0,1", "as without the fault", ""},
		{"slow:0,2", "core (0, 2) takes 2 times as long", ""},
		{"dead:0,2", "cannot finish", "1 kernels do not finish"},
		{"dead:0,1", "(0, 1) S2MM 0 is halted by a fault", "1 kernels do not finish"},
		{"dead:0,0", "(0, 0) S2MM 0 is halted by a fault", "1 kernels do not finish"},
		{"flip:0,2,30", "core (0, 2) gives wrong results", "1 kernels give wrong results"},
		{"dead:0,9", "", "has no tile (0, 9)"},
		{"drop:0,2,in,7,0", "", "no channel 7"},
	} {
		out, errs, status := invoke(t, "run", model, "-input", input, "-fault", c.fault)
		require.Contains(t, out, c.out, c.fault)
		require.Contains(t, errs, c.err, c.fault)
		require.Equal(t, c.err != "", status != 0, c.fault)
	}
}
