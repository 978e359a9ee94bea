package stablehlo_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestFloatsToIntegers: floats lose what is behind the point; what is beyond the range of the integers is its end, and
// NaN 0.
func TestFloatsToIntegers(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F64, dtype.F32, dtype.BF16, dtype.F16} {
		values := []float64{0, 0.5, 0.99, 1.5, -0.5, -0.99, -1.5, math.Inf(1), math.Inf(-1), math.NaN(), 1e30, -1e30}
		for e := range 65 {
			p := math.Ldexp(1, e)
			values = append(values, p, -p, p-1, 1-p, p+1, -p-1, 1.5*p, -1.5*p, p-0.5, 0.5-p)
		}
		x := buf.New(d, []int{len(values)})
		for i, v := range values {
			x.SetFloat64(i, v)
		}
		for _, width := range []int{2, 4, 8, 16, 32, 64} {
			for _, sign := range []string{"i", "ui"} {
				from, to := typeOf(x.Shape, d), fmt.Sprintf("tensor<%dx%s%d>", len(values), sign, width)
				wide := fmt.Sprintf("tensor<%dx%s64>", len(values), sign)
				got := compute(t, fmt.Sprintf(`func.func @main(%%x: %[1]s) -> %[3]s {
					%%0 = stablehlo.convert %%x : (%[1]s) -> %[2]s
					%%1 = stablehlo.convert %%0 : (%[2]s) -> %[3]s
					return %%1 : %[3]s
				}`, from, to, wide), x)[0]
				low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(width))
				if sign == "i" {
					high.Rsh(high, 1)
					low.Neg(high)
				}
				high.Sub(high, big.NewInt(1))
				for i := range values {
					v := x.Float64(i)
					want := new(big.Int)
					switch {
					case math.IsInf(v, 1):
						want = high
					case math.IsInf(v, -1):
						want = low
					case v == v:
						new(big.Float).SetFloat64(v).Int(want)
						if want.Cmp(low) < 0 {
							want = low
						} else if want.Cmp(high) > 0 {
							want = high
						}
					}
					have := new(big.Int).SetInt64(got.Int64(i))
					if sign == "ui" {
						have.SetUint64(uint64(got.Int64(i)))
					}
					require.Equal(t, want.String(), have.String(), "%v of %v as %s%d", v, d, sign, width)
				}
			}
		}
	}
}
