package acap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/mlir"
)

// TestTextUpTo: the text of an array ends with the program in which as many lines are reached, and says whether there
// is another.
func TestTextUpTo(t *testing.T) {
	module, err := mlir.Parse("two.mlir", []byte(`func.func @main(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %0 = "aten.mm"(%a, %b) : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %1 = "aten.mm"(%0, %c) : (tensor<32x32xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
  return %1 : tensor<32x48xf32>
}`))
	require.NoError(t, err)
	exe, err := acap.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	p := exe.(*acap.Program)
	for _, stage := range []string{"aie", "aie-generic", "aie-lowered"} { // which lowers the programs
		whole, err := p.Text(stage)
		require.NoError(t, err)
		first, more, err := p.TextUpTo(stage, 1)
		require.NoError(t, err)
		require.True(t, more)
		require.True(t, strings.HasPrefix(whole, first) && len(first) < len(whole))
		rest, more, err := p.TextUpTo(stage, strings.Count(first, "\n")+1)
		require.NoError(t, err)
		require.False(t, more)
		require.Equal(t, whole, rest)
	}
	_, _, err = p.TextUpTo("nothing", 1)
	require.Error(t, err)
}
