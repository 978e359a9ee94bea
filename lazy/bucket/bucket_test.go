package bucket_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/bucket"
	"github.com/go-acap/acap/mlir"
)

// mean is a program whose length and divisor are n.
func mean(t *testing.T, n, divisor string) *mlir.Operation {
	m, err := mlir.Parse("mean.mlir", []byte(`module { func.func @main(%a: tensor<`+n+`x3xf32>) -> tensor<3xf32> {
 %0 = "aten.sum.dim_IntList"(%a) {dim = array<i64: 0>} : (tensor<`+n+`x3xf32>) -> tensor<3xf32>
 %1 = "aten.div.Scalar"(%0) {other = `+divisor+` : i64} : (tensor<3xf32>) -> tensor<3xf32>
 return %1 : tensor<3xf32> } }`))
	require.NoError(t, err)
	return m
}

func lowered(t *testing.T, m *mlir.Operation) *mlir.Operation {
	require.NoError(t, compiler.Lower(m))
	return m
}

func read(t *testing.T, m *mlir.Operation) *bucket.Exact {
	e, err := bucket.Read(lowered(t, m))
	require.NoError(t, err)
	return e
}

// What depends on the extent is an input of the bucket's program, and what does not must be equal.
func TestFit(t *testing.T) {
	form := func(n int, counts bool) *mlir.Operation {
		m, err := bucket.Retype(mean(t, "5", "5"), map[bucket.Dim]int{{Argument: 0, Dim: 0}: n}, counts)
		require.NoError(t, err)
		return lowered(t, m)
	}
	p, err := bucket.New(form(8, true), form(1031, true))
	require.NoError(t, err)
	values := func(n, divisor string) []float64 {
		numbers, err := p.Fit(read(t, mean(t, n, divisor)))
		require.NoError(t, err)
		var out []float64
		for _, b := range numbers {
			if b.DType.IsFloat() {
				out = append(out, b.Float64(0))
			} else {
				out = append(out, float64(b.Int64(0)))
			}
		}
		return out
	}
	require.ElementsMatch(t, []float64{5, 5}, values("5", "5"))
	require.ElementsMatch(t, []float64{3, 3}, values("3", "3"))
	require.ElementsMatch(t, []float64{3, 7}, values("3", "7"), "the divisor is the program's")
	_, err = p.Fit(read(t, mean(t, "9", "9")))
	require.ErrorContains(t, err, "larger than the bucket")

	q, err := bucket.New(form(8, false), form(1031, false))
	require.NoError(t, err)
	_, err = q.Fit(read(t, mean(t, "3", "3")))
	require.ErrorContains(t, err, "does not depend on the extent otherwise")
	_, err = bucket.New(form(8, true), form(8, true))
	require.ErrorContains(t, err, "nothing depends on the extent")
}
