package stablehlo_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestTriangularSystems puts solutions of real and complex triangular systems back into them: on either side, with
// either triangle, as it is, transposed or conjugated, with its diagonal or with ones, in batches. What is in the other
// triangle, and on a diagonal of ones, is not looked at.
func TestTriangularSystems(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for i := range 48 {
		left, lower, unit := i&1 == 0, i&2 == 0, i&4 == 0
		transpose := []string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}[i/8%3]
		d, name := dtype.F64, "f64"
		if i >= 24 {
			d, name = dtype.C128, "complex<f64>"
		}
		n, m := 1+r.IntN(4), 1+r.IntN(3)
		aDims, bDims := []int{2, n, n}, []int{2, n, m}
		if !left {
			bDims = []int{2, m, n}
		}
		draw := func(dims []int) *buf.Buffer {
			b := buf.New(d, dims)
			for k := range b.Len() {
				if d == dtype.F64 {
					b.SetFloat64(k, r.NormFloat64())
				} else {
					buf.Slice[complex128](b)[k] = complex(r.NormFloat64(), r.NormFloat64())
				}
			}
			return b
		}
		a, b := draw(aDims), draw(bDims)
		of := func(dims []int) string {
			return fmt.Sprintf("tensor<%dx%dx%dx%s>", dims[0], dims[1], dims[2], name)
		}
		text := fmt.Sprintf(`func.func @main(%%a: %[1]s, %%b: %[2]s) -> %[2]s {
			%%0 = "stablehlo.triangular_solve"(%%a, %%b) {left_side = %[3]t, lower = %[4]t, unit_diagonal = %[5]t, transpose_a = #stablehlo<transpose %[6]s>} : (%[1]s, %[2]s) -> %[2]s
			return %%0 : %[2]s
		}`, of(aDims), of(bDims), left, lower, unit, transpose)
		x := compute(t, text, a, b)[0]
		at := func(b *buf.Buffer, k int) complex128 {
			if d == dtype.F64 {
				return complex(b.Float64(k), 0)
			}
			return buf.Slice[complex128](b)[k]
		}
		matrix := func(g, i, j int) complex128 { // of the system
			if transpose != "NO_TRANSPOSE" {
				i, j = j, i
			}
			v := at(a, (g*n+i)*n+j)
			switch {
			case i == j && unit:
				v = 1
			case i < j && lower || i > j && !lower:
				v = 0
			}
			if transpose == "ADJOINT" {
				v = complex(real(v), -imag(v))
			}
			return v
		}
		each(bDims, func(p []int) {
			var sum, size complex128
			for k := range n {
				var term complex128
				if left {
					term = matrix(p[0], p[1], k) * at(x, (p[0]*n+k)*m+p[2])
				} else {
					term = at(x, (p[0]*m+p[1])*n+k) * matrix(p[0], k, p[2])
				}
				sum += term
				size += complex(abs(term), 0)
			}
			want := at(b, place(bDims, p))
			require.LessOrEqual(t, abs(sum-want), 1e-12*(1+real(size)), text)
		})
	}
}

// abs bounds the size of a complex number.
func abs(z complex128) float64 { return max(real(z), -real(z)) + max(imag(z), -imag(z)) }
