package stablehlo_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// reduced is x in a float of some bits of exponent and mantissa, ties to even: what is larger than all of them is
// infinite, what is smaller than all normal ones zero.
func reduced(x float64, exponent, mantissa int) float64 {
	if math.IsInf(x, 0) || x == 0 {
		return x
	}
	if math.IsNaN(x) {
		if mantissa == 0 {
			return math.Inf(1)
		}
		return x
	}
	f, e := math.Frexp(x) // f in [0.5, 1)
	y := math.Ldexp(math.RoundToEven(math.Ldexp(f, mantissa+1)), e-mantissa-1)
	_, e = math.Frexp(y)
	bias := 1<<(exponent-1) - 1
	switch {
	case e-1 > bias:
		return math.Copysign(math.Inf(1), x)
	case e-1 < 1-bias:
		return math.Copysign(0, x)
	}
	return y
}

// TestReducePrecision compares numbers of all sizes, and those around the ends of each format, with their definition.
func TestReducePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, c := range []struct {
		d                  dtype.DType
		exponent, mantissa int
	}{
		{dtype.F32, 5, 10}, {dtype.F32, 8, 7}, {dtype.F32, 4, 3}, {dtype.F32, 5, 2}, {dtype.F32, 8, 10}, {dtype.F32, 2, 1},
		{dtype.F32, 8, 23}, {dtype.F32, 6, 0}, {dtype.F64, 8, 23}, {dtype.F64, 5, 10}, {dtype.F64, 11, 20}, {dtype.F64, 3, 52},
	} {
		var values []float64
		bias := 1<<(c.exponent-1) - 1
		for _, e := range []int{-bias - 2, -bias - 1, -bias, 1 - bias, 2 - bias, -1, 0, 1, bias - 1, bias, bias + 1} {
			if c.d == dtype.F32 && (e < -126 || e > 127) || e < -1022 || e > 1023 {
				continue // subnormal numbers, which some machines flush, and what is none
			}
			for range 40 {
				f := 1 + r.Float64()
				if c.mantissa > 0 && r.IntN(3) == 0 { // a tie
					f = 1 + (math.Floor(math.Ldexp(f-1, c.mantissa))+0.5)*math.Ldexp(1, -c.mantissa)
				}
				values = append(values, math.Ldexp(f, e), -math.Ldexp(f, e))
			}
			values = append(values, math.Ldexp(1, e), math.Ldexp(2-math.Ldexp(1, -c.mantissa), e), math.Ldexp(2-math.Ldexp(1, -20), e))
		}
		values = append(values, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN())
		x := buf.New(c.d, []int{len(values)})
		for i, v := range values {
			x.SetFloat64(i, v)
		}
		kind := typeOf(x.Shape, c.d)
		got := compute(t, fmt.Sprintf(`func.func @main(%%x: %[1]s) -> %[1]s {
			%%0 = stablehlo.reduce_precision %%x, format = e%[2]dm%[3]d : %[1]s
			return %%0 : %[1]s
		}`, kind, c.exponent, c.mantissa), x)[0]
		for i := range values {
			v := x.Float64(i) // rounded to the type
			want, have := reduced(v, c.exponent, c.mantissa), got.Float64(i)
			if math.IsNaN(want) {
				require.True(t, math.IsNaN(have))
				continue
			}
			require.Equal(t, math.Float64bits(want), math.Float64bits(have), "%v in e%dm%d of %v: %v, not %v", v, c.exponent, c.mantissa, c.d, have, want)
		}
	}
}
