package stablehlo_test

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

const (
	pairs  = 2 // matrices of each operand
	square = "tensor<2x4x4xf64>"
	rows   = "tensor<2x4xf64>"
	info   = "tensor<2xi32>"
)

// calling is a program that is one custom call of a target with options, from types to types.
func calling(target, config string, from, to []string) string {
	var declared, operands, results []string
	for i, t := range from {
		operands = append(operands, fmt.Sprintf("%%x%d", i))
		declared = append(declared, operands[i]+": "+t)
	}
	for i := range to {
		results = append(results, fmt.Sprintf("%%0#%d", i))
	}
	list := func(parts []string) string { return strings.Join(parts, ", ") }
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n%%0:%d = \"stablehlo.custom_call\"(%s) {call_target_name = %q, mhlo.backend_config = {%s}} : "+
		"(%s) -> (%s)\nreturn %s : %s\n}", list(declared), list(to), len(to), list(operands), target, config, list(from), list(to), list(results), list(to))
}

// random has elements that are normal.
func random(dims ...int) *buf.Buffer {
	r := rand.New(rand.NewPCG(3, uint64(len(dims))))
	b := buf.New(dtype.F64, dims)
	for i := range b.Len() {
		b.SetFloat64(i, r.NormFloat64())
	}
	return b
}

// matrix is matrix k of a buffer of pairs.
func matrix(b *buf.Buffer, k int) *mat.Dense {
	n, m := b.Shape[1], b.Shape[2]
	return mat.NewDense(n, m, append([]float64(nil), buf.Slice[float64](b)[k*n*m:(k+1)*n*m]...))
}

func product(list ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(list[0])
	for _, m := range list[1:] {
		var q mat.Dense
		q.Mul(p, m)
		p = &q
	}
	return p
}

func requireEqual(t *testing.T, want, got mat.Matrix, name string) {
	t.Helper()
	require.True(t, mat.EqualApprox(want, got, 1e-10), "%s\n%v\n\n%v", name, mat.Formatted(want), mat.Formatted(got))
}

// positive are products of matrices with their transposes.
func positive() *buf.Buffer {
	a := random(pairs, 4, 4)
	out := buf.New(dtype.F64, []int{pairs, 4, 4})
	for k := range pairs {
		p := product(matrix(a, k), matrix(a, k).T())
		for i := range 16 {
			out.SetFloat64(16*k+i, p.At(i/4, i%4))
		}
	}
	return out
}

// triangle keeps the elements of a matrix on and above the diagonal, or below, where ones are on the diagonal.
func triangle(m *mat.Dense, upper bool) *mat.Dense {
	out := mat.NewDense(4, 4, nil)
	for i := range 4 {
		for j := range 4 {
			if upper == (j >= i) {
				out.Set(i, j, m.At(i, j))
			}
		}
		if !upper {
			out.Set(i, i, 1)
		}
	}
	return out
}

// TestLAPACK multiplies what custom calls of LAPACK's routines give, as JAX writes them for the platform cpu, and
// compares the products with the matrices that went in.
func TestLAPACK(t *testing.T) {
	a, p := random(pairs, 4, 4), positive()

	for triangle, letter := range map[string]byte{"lower": 'L', "upper": 'U'} {
		factor := compute(t, calling("lapack_dpotrf_ffi", fmt.Sprintf("uplo = %d : ui8", letter), []string{square}, []string{square, info}), p)
		eigen := compute(t, calling("lapack_dsyevd_ffi", fmt.Sprintf("mode = 86 : ui8, uplo = %d : ui8", letter), []string{square},
			[]string{square, rows, info}), p)
		for k := range pairs {
			l := mat.Matrix(matrix(factor[0], k))
			if triangle == "upper" {
				l = l.T()
			}
			requireEqual(t, matrix(p, k), product(l, l.T()), "potrf "+triangle)
			require.Zero(t, factor[1].Int64(k)+eigen[2].Int64(k))
			v := matrix(eigen[0], k)
			requireEqual(t, product(matrix(p, k), v), product(v, mat.NewDiagDense(4, buf.Slice[float64](eigen[1])[4*k:4*k+4])), "syevd "+triangle)
		}
	}
	unclear, err := mlir.Parse("x.mlir", []byte(calling("lapack_dpotrf_ffi", "", []string{square}, []string{square, info})))
	require.NoError(t, err)
	require.ErrorContains(t, stablehlo.Lower(unclear), "the triangle")
	failed := buf.New(dtype.F64, []int{pairs, 4, 4})
	failed.SetFloat64(0, -1)
	require.NotZero(t, compute(t, calling("lapack_dpotrf_ffi", "uplo = 76 : ui8", []string{square}, []string{square, info}), failed)[1].Int64(0))

	lu := compute(t, calling("lapack_dgetrf_ffi", "", []string{square}, []string{square, "tensor<2x4xi32>", info}), a)
	tpu := compute(t, calling("LuDecomposition", "", []string{square}, []string{square, "tensor<2x4xi32>", "tensor<2x4xi32>"}), a)
	qr := compute(t, calling("lapack_dgeqrf_ffi", "", []string{square}, []string{square, rows}), a)
	q := compute(t, calling("lapack_dorgqr_ffi", "", []string{square, rows}, []string{square}), qr...)
	for k := range pairs {
		exchanged, placed := matrix(a, k), mat.NewDense(4, 4, nil)
		for i := range 4 { // LAPACK's pivots count from 1
			pivot := int(lu[1].Int64(4*k+i)) - 1
			require.EqualValues(t, pivot, tpu[1].Int64(4*k+i))
			x, y := mat.Row(nil, i, exchanged), mat.Row(nil, pivot, exchanged)
			exchanged.SetRow(i, y)
			exchanged.SetRow(pivot, x)
			placed.SetRow(i, mat.Row(nil, int(tpu[2].Int64(4*k+i)), matrix(a, k)))
		}
		factors := product(triangle(matrix(lu[0], k), false), triangle(matrix(lu[0], k), true))
		requireEqual(t, exchanged, factors, "getrf")
		requireEqual(t, placed, factors, "LuDecomposition")
		requireEqual(t, matrix(a, k), product(matrix(q[0], k), triangle(matrix(qr[0], k), true)), "geqrf")
		requireEqual(t, mat.NewDiagDense(4, []float64{1, 1, 1, 1}), product(matrix(q[0], k).T(), matrix(q[0], k)), "orgqr")
	}
}

// TestSingularValues: with modes for all vectors, as many as there are values, and none.
func TestSingularValues(t *testing.T) {
	const tall = "tensor<2x4x3xf64>"
	a := random(pairs, 4, 3)
	for mode, u := range map[byte]string{'A': square, 'S': tall, 'N': square} {
		out := compute(t, calling("lapack_dgesdd_ffi", fmt.Sprintf("mode = %d : ui8", mode), []string{tall},
			[]string{tall, "tensor<2x3xf64>", u, "tensor<2x3x3xf64>", info}), a)
		for k := range pairs {
			s := buf.Slice[float64](out[1])[3*k : 3*k+3]
			var svd mat.SVD
			require.True(t, svd.Factorize(matrix(a, k), mat.SVDNone))
			require.InDeltaSlice(t, svd.Values(nil), s, 1e-12)
			if mode != 'N' {
				requireEqual(t, matrix(a, k), product(matrix(out[2], k).Slice(0, 4, 0, 3), mat.NewDiagDense(3, s), matrix(out[3], k)), "gesdd")
			}
		}
	}
}

// TestEigenvectors: vectors are of length 1 with a largest component that is real, Av = λv on the right, and vᴴA = λvᴴ
// on the left.
func TestEigenvectors(t *testing.T) {
	const vectors = "tensor<2x4x4xcomplex<f64>>"
	a := random(pairs, 4, 4)
	out := compute(t, calling("lapack_dgeev_ffi", "compute_left = 86 : ui8, compute_right = 86 : ui8", []string{square},
		[]string{rows, rows, vectors, vectors, info}), a)
	for k := range pairs {
		m := matrix(a, k)
		for j := range 4 {
			value := complex(out[0].Float64(4*k+j), out[1].Float64(4*k+j))
			left := func(i int) complex128 { return out[2].Complex(16*k + 4*i + j) }
			right := func(i int) complex128 { return out[3].Complex(16*k + 4*i + j) }
			for i := range 4 {
				var x, y complex128
				for l := range 4 {
					x += complex(m.At(i, l), 0) * right(l)
					y += cmplx.Conj(left(l)) * complex(m.At(l, i), 0)
				}
				require.InDelta(t, 0, cmplx.Abs(x-value*right(i)), 1e-10)
				require.InDelta(t, 0, cmplx.Abs(y-value*cmplx.Conj(left(i))), 1e-10)
			}
			for _, v := range []func(int) complex128{left, right} {
				length, largest := 0.0, complex128(0)
				for i := range 4 {
					length += real(v(i) * cmplx.Conj(v(i)))
					if cmplx.Abs(v(i)) > cmplx.Abs(largest) {
						largest = v(i)
					}
				}
				require.InDelta(t, 1, length, 1e-10)
				require.InDelta(t, 0, imag(largest), 1e-10)
			}
		}
	}
}

// complexMatrix is matrix k of a buffer of pairs, 4 rows of 4.
func complexMatrix(b *buf.Buffer, k int) *mat.CDense {
	m := mat.NewCDense(4, 4, nil)
	for i := range 16 {
		m.Set(i/4, i%4, b.Complex(16*k+i))
	}
	return m
}

func complexProduct(a, b mat.CMatrix) *mat.CDense {
	m := mat.NewCDense(4, 4, nil)
	for i := range 4 {
		for j := range 4 {
			for l := range 4 {
				m.Set(i, j, m.At(i, j)+a.At(i, l)*b.At(l, j))
			}
		}
	}
	return m
}

// TestComplexLAPACK multiplies factors of complex matrices.
func TestComplexLAPACK(t *testing.T) {
	const matrices = "tensor<2x4x4xcomplex<f64>>"
	a, hermitian := buf.New(dtype.C128, []int{pairs, 4, 4}), buf.New(dtype.C128, []int{pairs, 4, 4})
	for i, v := range numbers(16 * pairs) {
		a.SetComplex(i, v)
	}
	for k := range pairs {
		p := complexProduct(complexMatrix(a, k), complexMatrix(a, k).H())
		for i := range 16 {
			hermitian.SetComplex(16*k+i, p.At(i/4, i%4)+complex(float64(1-min(1, i%5)), 0))
		}
	}
	equal := func(name string, want, got mat.CMatrix) {
		t.Helper()
		require.True(t, mat.CEqualApprox(want, got, 1e-9), "%s\n%v\n%v", name, want, got)
	}
	diagonal := func(b *buf.Buffer, k int) *mat.CDense {
		m := mat.NewCDense(4, 4, nil)
		for i := range 4 {
			m.Set(i, i, complex(b.Float64(4*k+i), 0))
		}
		return m
	}
	upper := func(m *mat.CDense) *mat.CDense {
		for i := range 4 {
			for j := range i {
				m.Set(i, j, 0)
			}
		}
		return m
	}

	factor := compute(t, calling("lapack_zpotrf_ffi", "uplo = 76 : ui8", []string{matrices}, []string{matrices, info}), hermitian)
	eigen := compute(t, calling("lapack_zheevd_ffi", "mode = 86 : ui8, uplo = 76 : ui8", []string{matrices}, []string{matrices, rows, info}), hermitian)
	qr := compute(t, calling("lapack_zgeqrf_ffi", "", []string{matrices}, []string{matrices, "tensor<2x4xcomplex<f64>>"}), a)
	q := compute(t, calling("lapack_zungqr_ffi", "", []string{matrices, "tensor<2x4xcomplex<f64>>"}, []string{matrices}), qr...)
	usv := compute(t, calling("lapack_zgesdd_ffi", "mode = 65 : ui8", []string{matrices}, []string{matrices, rows, matrices, matrices, info}), a)
	left := compute(t, calling("lapack_zgeev_ffi", "compute_left = 86 : ui8, compute_right = 86 : ui8", []string{matrices},
		[]string{"tensor<2x4xcomplex<f64>>", matrices, matrices, info}), a)
	for k := range pairs {
		l := complexMatrix(factor[0], k)
		equal("potrf", complexMatrix(hermitian, k), complexProduct(l, l.H()))
		v := complexMatrix(eigen[0], k)
		equal("heevd", complexProduct(complexMatrix(hermitian, k), v), complexProduct(v, diagonal(eigen[1], k)))
		equal("geqrf", complexMatrix(a, k), complexProduct(complexMatrix(q[0], k), upper(complexMatrix(qr[0], k))))
		equal("gesdd", complexMatrix(a, k), complexProduct(complexProduct(complexMatrix(usv[2], k), diagonal(usv[1], k)), complexMatrix(usv[3], k)))
		values := mat.NewCDense(4, 4, nil)
		for i := range 4 {
			values.Set(i, i, left[0].Complex(4*k+i))
		}
		equal("geev, left", complexProduct(complexMatrix(left[1], k).H(), complexMatrix(a, k)), complexProduct(values, complexMatrix(left[1], k).H()))
		equal("geev, right", complexProduct(complexMatrix(a, k), complexMatrix(left[2], k)), complexProduct(complexMatrix(left[2], k), values))
	}
}

// TestTriangular: trsm from both sides, with both triangles, transposed or not, of real and of complex numbers.
func TestTriangular(t *testing.T) {
	a, b := random(pairs, 4, 4), random(pairs, 4, 4)
	for _, side := range "LR" {
		for _, uplo := range "LU" {
			for _, trans := range "NT" {
				x := compute(t, calling("lapack_dtrsm_ffi", fmt.Sprintf("diag = 78 : ui8, side = %d : ui8, trans_x = %d : ui8, uplo = %d : ui8", side, trans, uplo),
					[]string{square, square}, []string{square}), a, b)
				for k := range pairs {
					m := mat.Matrix(triangle(matrix(a, k), true))
					if uplo == 'L' {
						m = triangle(mat.DenseCopyOf(matrix(a, k).T()), true).T()
					}
					if trans == 'T' {
						m = m.T()
					}
					list := []mat.Matrix{m, matrix(x[0], k)}
					if side == 'R' {
						list[0], list[1] = list[1], list[0]
					}
					requireEqual(t, matrix(b, k), product(list...), fmt.Sprintf("%c %c %c", side, uplo, trans))
				}
			}
		}
	}
	one := buf.From([]complex128{2i}, 1, 1)
	z := compute(t, calling("lapack_ztrsm_ffi", "diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8",
		[]string{"tensor<1x1xcomplex<f64>>", "tensor<1x1xcomplex<f64>>"}, []string{"tensor<1x1xcomplex<f64>>"}), one, one)
	require.Equal(t, complex128(-1), z[0].Complex(0)) // 2i / conj(2i)
}

// TestTridiagonal multiplies the solution by the three diagonals.
func TestTridiagonal(t *testing.T) {
	low, middle, high, b := random(pairs, 4), random(pairs, 4, 1), random(pairs, 4), random(pairs, 4, 3)
	middle = buf.From(buf.Slice[float64](middle), pairs, 4)
	const wide = "tensor<2x4x3xf64>"
	x := compute(t, calling("lapack_dgtsv_ffi", "", []string{rows, rows, rows, wide}, []string{rows, rows, rows, wide, info}), low, middle, high, b)[3]
	for k := range pairs {
		m := mat.NewDense(4, 4, nil)
		for i := range 4 {
			m.Set(i, i, middle.Float64(4*k+i))
			if i > 0 {
				m.Set(i, i-1, low.Float64(4*k+i))
				m.Set(i-1, i, high.Float64(4*k+i-1))
			}
		}
		requireEqual(t, matrix(b, k), product(m, matrix(x, k)), "gtsv")
	}
}

// TestNotes: targets that say where a tensor lies leave the tensor alone, and are refused where they divide the tensor.
func TestNotes(t *testing.T) {
	x := random(pairs, 4)
	require.Equal(t, x, compute(t, calling("annotate_device_placement", "", []string{rows}, []string{rows}), x)[0])
	for target, want := range map[string]string{
		"SPMDFullToShardShape": "is the work of each of several devices", "cusolver_sytrd_ffi": `"cusolver_sytrd_ffi" is not known`,
		"lapack_dpotrf_ffi": "takes 1 operands and gives 2 results, not 1 and 1", "cu_threefry2x32": `"cu_threefry2x32" is not known`,
	} {
		module, err := mlir.Parse("x.mlir", []byte(calling(target, "", []string{square}, []string{rows})))
		require.NoError(t, err)
		require.ErrorContains(t, stablehlo.Lower(module), want)
	}
}

// TestOfGPUs: the targets that JAX writes for GPUs give what those for processors give, whose options have other names.
func TestOfGPUs(t *testing.T) {
	const words = "tensor<2xui32>"
	a, p := random(pairs, 4, 4), positive()
	letters := []string{"upper", "lower"}
	for i, uplo := range []byte{'U', 'L'} {
		for routine, results := range map[string][]string{"potrf": {square, info}, "syevd": {square, rows, info}} {
			want := compute(t, calling("lapack_d"+routine+"_ffi", fmt.Sprintf("mode = 86 : ui8, uplo = %d : ui8", uplo), []string{square}, results), p)
			for _, library := range []string{"cusolver_", "hipsolver_"} {
				got := compute(t, calling(library+routine+"_ffi", fmt.Sprintf("lower = %v", i == 1), []string{square}, results), p)
				require.Equal(t, want, got, letters[i])
			}
		}
	}
	vectors := []string{square, rows, square, square, info}
	want := compute(t, calling("lapack_dgesdd_ffi", "mode = 65 : ui8", []string{square}, vectors), a)
	require.Equal(t, want, compute(t, calling("cusolver_gesvd_ffi", "compute_uv = true, full_matrices = true, transposed = false", []string{square}, vectors), a))
	columns := compute(t, calling("cusolver_gesvdj_ffi", "compute_uv = true, full_matrices = true", []string{square}, vectors), a)
	for k := range pairs {
		requireEqual(t, matrix(want[3], k), matrix(columns[3], k).T(), "gesvdj")
	}
	module, err := mlir.Parse("x.mlir", []byte(calling("cusolver_gesvd_ffi", "transposed = true", []string{square}, vectors)))
	require.NoError(t, err)
	require.ErrorContains(t, stablehlo.Lower(module), "a matrix that is given as its transpose")

	places := compute(t, calling("cu_lu_pivots_to_permutation", "", []string{"tensor<1x3xi32>"}, []string{"tensor<1x5xi32>"}), buf.From([]int32{3, 1, 3}, 1, 3))
	require.Equal(t, []int32{3, 1, 0, 2, 4}, buf.Slice[int32](places[0])) // rows 0 and 3 change places, then 2 and 3

	x := compute(t, calling("cusparse_gtsv2_ffi", "", []string{"tensor<2xf64>", "tensor<2xf64>", "tensor<2xf64>", "tensor<2x1xf64>"}, []string{"tensor<2x1xf64>"}),
		buf.From([]float64{9, 1}, 2), buf.From([]float64{2, 3}, 2), buf.From([]float64{1, 9}, 2), buf.From([]float64{3, 4}, 2, 1))
	require.InDeltaSlice(t, []float64{1, 1}, buf.Slice[float64](x[0]), 1e-15)

	// The answers that are known for Threefry-2x32 of 20 rounds, for zeros and for ones: https://github.com/DEShawResearch/random123.
	bits := buf.From([]uint32{0, 1<<32 - 1}, 2)
	random := compute(t, calling("cu_threefry2x32_ffi", "", []string{words, words, words, words}, []string{words, words}), bits, bits, bits, bits)
	require.Equal(t, []uint32{0x6b200159, 0x1cb996fc}, buf.Slice[uint32](random[0]))
	require.Equal(t, []uint32{0x99ba4efe, 0xbb002be7}, buf.Slice[uint32](random[1]))
}
