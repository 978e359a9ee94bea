package expand_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
)

// TestExpandedRuns: what expand-acap writes out computes what the kernels of the operation do, each
// operation of the dialect in its forms, on numbers with ties and a NaN.
func TestExpandedRuns(t *testing.T) {
	x := make([]float32, 35)
	for i := range x {
		x[i] = float32(math.Round(3*math.Sin(float64(7*i))) / 2)
	}
	for _, withNaN := range []bool{false, true} {
		if withNaN {
			x[9] = float32(math.NaN())
		}
		in := []*buf.Buffer{buf.From(x, 5, 7)}
		for _, c := range []struct{ op, result string }{
			{"acap.scan add %x axis 0 : tensor<5x7xf32>", "5x7xf32"},
			{"acap.scan mul %x axis 1 : tensor<5x7xf32>", "5x7xf32"},
			{"acap.scan logaddexp %x axis 1 : tensor<5x7xf32>", "5x7xf32"},
			{"acap.scan min %x axis 1 : tensor<5x7xf32>", "5x7xf32"},
			{"acap.scan max %x axis 0 : tensor<5x7xf32>", "5x7xf32"},
			{"acap.scan max %x axis 0 positions : tensor<5x7xf32>", "5x7xi64"},
			{"acap.scan min %x axis 1 positions : tensor<5x7xf32>", "5x7xi64"},
			{"acap.sort %x axis 1 descending : tensor<5x7xf32>", "5x7xf32 5x7xi64"},
			{"acap.sort %x axis 0 : tensor<5x7xf32>", "5x7xf32 5x7xi64"},
			{"acap.sort %x axis 1 from 2 : tensor<5x7xf32> to tensor<5x3xf32>", "5x3xf32 5x3xi64"},
			{"acap.scatter add %few at %at into %x axis 0 : tensor<2x7xf32>, tensor<2x1xi64> into tensor<5x7xf32>", "5x7xf32"},
			{"acap.scatter max %few at %at into %x axis 0 : tensor<2x7xf32>, tensor<2x1xi64> into tensor<5x7xf32>", "5x7xf32"},
			{"acap.scatter min %few at %at into %x axis 0 : tensor<2x7xf32>, tensor<2x1xi64> into tensor<5x7xf32>", "5x7xf32"},
			{"acap.scatter mul %few at %at into %x axis 0 : tensor<2x7xf32>, tensor<2x1xi64> into tensor<5x7xf32>", "5x7xf32"},
			{"acap.scatter assign %few at %at into %x axis 0 : tensor<2x7xf32>, tensor<2x1xi64> into tensor<5x7xf32>", "5x7xf32"},
			{"acap.search %x in %line : tensor<5x7xf32>, tensor<4xf32>", "5x7xi64"},
			{"acap.after %few, %line : tensor<2x7xf32>, tensor<4xf32>", "2x7xf32"},
			{"acap.search %few in %lines right : tensor<2x7xf32>, tensor<2x3xf32>", "2x7xi64"},
			{"acap.rng %key, %counter : tensor<5x7xi32>", "5x7xi32"},
		} {
			var first, second string
			n, _ := fmt.Sscan(c.result, &first, &second)
			results, values, given := "tensor<"+first+">", "%0", "%0"
			if n == 2 {
				results, values, given = results+", tensor<"+second+">", "%0#0, %0#1", "%0:2"
			}
			text := "func.func @main(%x: tensor<5x7xf32>) -> (" + results + ") {\n" +
				"%key = arith.constant dense<-81985529216486896> : tensor<i64>\n" +
				"%counter = arith.constant dense<4294967300> : tensor<i64>\n" +
				"%few = arith.constant dense<[[1.0, 2.0, -3.0, 0.5, 9.0, -1.5, 4.0], [2.0, 2.0, 2.0, -2.0, -2.0, 7.0, 0.25]]> : tensor<2x7xf32>\n" +
				"%line = arith.constant dense<[-1.5, 0.0, 0.5, 1.0]> : tensor<4xf32>\n" +
				"%lines = arith.constant dense<[[-3.0, 1.0, 2.0], [-2.0, -2.0, 7.0]]> : tensor<2x3xf32>\n" +
				"%at = arith.constant dense<[[4], [1]]> : tensor<2x1xi64>\n" +
				given + " = " + c.op + "\nreturn " + values + " : " + results + "\n}\n"
			compute := func(expand bool) []*buf.Buffer {
				module, err := mlir.Parse("x.mlir", []byte(text))
				require.NoError(t, err, text)
				if expand {
					pipeline, err := passes.Parse("expand-acap")
					require.NoError(t, err)
					require.NoError(t, pipeline.Run(module), text)
					require.NotContains(t, module.String(), "acap.", text)
				}
				exe, err := host.Device().Compile(context.Background(), module)
				require.NoError(t, err, module)
				defer exe.Close()
				out, err := exe.Run(context.Background(), in)
				require.NoError(t, err)
				return out
			}
			want, have := compute(false), compute(true)
			for i := range want {
				for k := range want[i].Len() {
					w, h := want[i].Float64(k), have[i].Float64(k)
					if w != h && !(math.IsNaN(w) && math.IsNaN(h)) && !(math.Abs(w-h) <= 1e-5*math.Max(1, math.Abs(w))) {
						t.Errorf("%s: result %d element %d: expanded %v, kernel %v", c.op, i, k, h, w)
						break
					}
				}
			}
		}
	}
}
