package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/portable"
)

// extremes has a function for each place in which kernels compute a minimum or maximum of x and y: of elements, with
// constants, along either dimension, and after a product. $OP is the operation, $E the element.
var extremes = map[string]string{
	"elements": `%r = arith.$OP %x, %y : tensor<24x40x$E>`,
	"a zero":   "%c = arith.constant dense<0.0> : tensor<24x40x$E>\n%r = arith.$OP %x, %c : tensor<24x40x$E>",
	"a negative zero": "%c = arith.constant dense<-0.0> : tensor<24x40x$E>\n" +
		"%r = arith.$OP %c, %x : tensor<24x40x$E>",
	"rows": `%i = tensor.extract_slice %y[0, 0] [24, 1] [1, 1] : tensor<24x40x$E> to tensor<24x$E>
  %r = linalg.reduce { arith.$OP } ins(%x : tensor<24x40x$E>) outs(%i : tensor<24x$E>) dimensions = [1]`,
	"columns": `%i = tensor.extract_slice %y[0, 0] [1, 40] [1, 1] : tensor<24x40x$E> to tensor<40x$E>
  %r = linalg.reduce { arith.$OP } ins(%x : tensor<24x40x$E>) outs(%i : tensor<40x$E>) dimensions = [0]`,
	"a product": `%u = arith.constant dense<0.0> : tensor<24x40x$E>
  %w = arith.constant dense<1.0> : tensor<24x40x$E>
  %p = linalg.matmul ins(%z, %w : tensor<24x24x$E>, tensor<24x40x$E>) outs(%u : tensor<24x40x$E>) -> tensor<24x40x$E>
  %n = arith.negf %p : tensor<24x40x$E>
  %r = arith.$OP %n, %x : tensor<24x40x$E>`,
}

// TestSignsOfZeros: of two zeros the negative one is the lesser, for all kernels and wherever they compare. The right
// values come from IEEE 754's minimum and maximum, and of minimumNumber and maximumNumber.
func TestSignsOfZeros(t *testing.T) {
	pool := []float64{0, math.Copysign(0, -1), 0, math.Copysign(0, -1), 1, -1, math.NaN()}
	number := func(f func(x, y float64) float64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			switch {
			case x != x:
				return y
			case y != y:
				return x
			}
			return f(x, y)
		}
	}
	operations := map[string]func(x, y float64) float64{"minimumf": math.Min, "maximumf": math.Max,
		"minnumf": number(math.Min), "maxnumf": number(math.Max)}
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16} {
		x, y := buf.New(d, []int{24, 40}), buf.New(d, []int{24, 40})
		for i := range x.Len() {
			x.SetFloat64(i, pool[(i*i+i/40)%7])
			y.SetFloat64(i, pool[(i*3+i/7)%7])
			if i%40 < 20 { // where rows have zeros alone
				x.SetFloat64(i, pool[(i/40+i/3)%2])
				y.SetFloat64(i, pool[i/5%2])
			}
		}
		z := buf.New(d, []int{24, 24}) // zeros
		for name, f := range operations {
			for where, text := range extremes {
				want := make([]float64, 24*40)
				result := "24x40x$E"
				switch where {
				case "elements":
					for i := range want {
						want[i] = f(x.Float64(i), y.Float64(i))
					}
				case "a zero", "a negative zero":
					zero := math.Copysign(0, map[string]float64{"a zero": 1, "a negative zero": -1}[where])
					for i := range want {
						want[i] = f(x.Float64(i), zero)
					}
				case "a product":
					for i := range want {
						want[i] = f(math.Copysign(0, -1), x.Float64(i))
					}
				case "rows":
					want, result = want[:24], "24x$E"
					for i := range want {
						want[i] = y.Float64(40 * i)
						for j := range 40 {
							want[i] = f(want[i], x.Float64(40*i+j))
						}
					}
				case "columns":
					want, result = want[:40], "40x$E"
					for j := range want {
						want[j] = y.Float64(j)
						for i := range 24 {
							want[j] = f(want[j], x.Float64(40*i+j))
						}
					}
				}
				text = strings.NewReplacer("$OP", name, "$E", d.MLIR()).Replace(
					"func.func @main(%x: tensor<24x40x$E>, %y: tensor<24x40x$E>, %z: tensor<24x24x$E>) -> tensor<" + result + "> {\n  " +
						text + "\n  return %r : tensor<" + result + ">\n}")
				got := map[string]*buf.Buffer{}
				for way, o := range map[string]Options{"native": {}, "portable": {Backend: portable.Compile}} {
					got[way] = run(t, compile(t, text, o), x, y, z)[0]
				}
				for i := range want {
					said := fmt.Sprintf("%s of %s, %s: element %d", name, d, where, i)
					a, b := got["native"].Float64(i), got["portable"].Float64(i)
					require.Equal(t, said+" "+withSign(want[i]), said+" "+withSign(a))
					require.Equal(t, said+" "+withSign(want[i]), said+" "+withSign(b), "portable")
				}
			}
		}
	}
}

func withSign(x float64) string {
	if math.IsNaN(x) {
		return "NaN"
	}
	return fmt.Sprintf("%+g", x)
}
