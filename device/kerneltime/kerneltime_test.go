package kerneltime_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/kerneltime"
	"github.com/go-acap/acap/mlir"
)

const program = `func.func @main(%x: tensor<64x64xf32>, %y: tensor<4xf32>) -> (tensor<64x64xf32>, tensor<4xf32>) {
  %0 = "aten.mm"(%x, %x) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "aten.exp"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<4xf32>
}`

func compile(reproducible bool) (device.Executable, *kerneltime.Times, []*buf.Buffer) {
	module, err := mlir.Parse("x.mlir", []byte(program))
	if err != nil {
		panic(err)
	}
	exe, times, err := kerneltime.Compile(context.Background(), module, device.Config{}.WithReproducible(reproducible))
	if err != nil {
		panic(err)
	}
	return exe, times, []*buf.Buffer{buf.From(make([]float32, 64*64), 64, 64), buf.From([]float32{0, 0, 0, 0}, 4)}
}

// TestTimes: each kernel has the number of its runs and a time, and results are right. The product takes longest,
// unless other processes interrupt the exponential each time.
func TestTimes(t *testing.T) {
	for _, reproducible := range []bool{false, true} {
		exe, times, inputs := compile(reproducible)
		require.Empty(t, times.List())
		var list []kerneltime.Kernel
		for attempt := 0; attempt < 50 && (attempt == 0 || list[0].Account.MACs == 0); attempt++ {
			times.Reset()
			for range 3 {
				results, err := exe.Run(context.Background(), inputs)
				require.NoError(t, err)
				require.Equal(t, 1., results[1].Float64(0))
			}
			list = times.List()
			require.Len(t, list, 2)
		}
		for _, k := range list {
			require.EqualValues(t, 3, k.Runs)
			require.Positive(t, k.Time)
		}
		require.EqualValues(t, 64*64*64, list[0].Account.MACs)
		require.Greater(t, list[0].Time, list[1].Time)
		times.Reset()
		require.Empty(t, times.List())
		exe.Close()
	}
}

func ExampleCompile() {
	exe, times, inputs := compile(false)
	defer exe.Close()
	for range 10 {
		if _, err := exe.Run(context.Background(), inputs); err != nil {
			panic(err)
		}
	}
	longest := times.List()[0]
	fmt.Println(longest.Account.What, longest.Runs, longest.Time > 0)
	// Output: contraction 10 true
}
