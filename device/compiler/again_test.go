package compiler_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

const small = `func.func @main(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = "aten.tanh"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "aten.softmax.int"(%1) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}`

// A program does not keep its module, and shows the linalg form all the same, as often as it is asked.
func TestLinalgAgain(t *testing.T) {
	for name, config := range map[string]device.Config{"plain": {}, "configured": device.Config{}.WithUnsupported("tanh")} {
		t.Run(name, func(t *testing.T) {
			exe, module := func() (device.Executable, weak.Pointer[mlir.Operation]) {
				module := parse(t, small)
				exe, err := compiler.CompileFor(context.Background(), module, acap.Device(), config)
				require.NoError(t, err)
				want := module.String() // what has been compiled
				require.Equal(t, !config.IsZero(), strings.Contains(want, "call @"))
				for range 2 {
					text, err := exe.Text("linalg")
					require.NoError(t, err)
					require.Equal(t, want, text)
				}
				return exe, weak.Make(module)
			}()
			runtime.GC()
			runtime.GC()
			if config.IsZero() {
				require.Nil(t, module.Value())
			}
			exe.Close()
		})
	}
}
