package acap_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/mlir"
)

// TestTelling: an account tells how many kinds of kernels it has mapped, each once and in the end all; a program
// without an account maps none.
func TestTelling(t *testing.T) {
	module, err := mlir.Parse("telling.mlir", []byte(`func.func @main(%a: tensor<64x64xf32>) -> tensor<64xf32> {
  %b = "aten.mm"(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = "aten.mm"(%b, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = "aten.sum.dim_IntList"(%c) {dim = array<i64: 1>, keepdim = false} : (tensor<64x64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
`))
	require.NoError(t, err)
	var mu sync.Mutex
	told := map[int]int{}
	array := acap.Device().WithoutRetention().Telling(func(mapped, kinds int) {
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, 2, kinds)
		told[mapped]++
	})
	exe, err := array.Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	require.Empty(t, told)
	require.Len(t, acap.ReportOf(exe).Kernels, 3)
	require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1}, told)
}
