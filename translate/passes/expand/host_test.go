package expand_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/expand"
)

// TestExpandedHost: an operator that is written out as loops computes what it computes on the host, by
// the reference evaluator. A complex result is compared by its parts.
func TestExpandedHost(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	stay := map[string]bool{}
	for _, op := range ops.All() {
		if op.Host == nil || op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		for _, sample := range append(op.Samples(), further[op.Name()]...) {
			call, err := op.NewCall(sample.Args(r)...)
			if errors.Is(err, ops.ErrDataDependent) {
				continue
			}
			require.NoError(t, err, op.Name())
			module, values := call.Program()
			var inputs []*buf.Buffer
			for _, v := range values {
				inputs = append(inputs, v.(ops.BufferValue).Buffer)
			}
			lowered := module.Clone(map[*mlir.Value]*mlir.Value{})
			require.NoError(t, compiler.Lower(lowered))
			require.NoError(t, expand.Host(lowered), op.Name())
			require.NoError(t, mlir.Verify(lowered), op.Name())
			if strings.Contains(lowered.Text(mlir.PrintOptions{}), "aten.") {
				stay[op.Name()] = true
				continue
			}
			exe, err := host.Device().Compile(context.Background(), module)
			require.NoError(t, err)
			want, err := exe.Run(context.Background(), inputs)
			require.NoError(t, err)
			exe.Close()
			f, err := compiler.EntryOf(lowered)
			require.NoError(t, err)
			got, err := reference.Run(f, parts(t, inputs))
			require.NoError(t, err, op.Name())
			for i := range want {
				compareParts(t, op.Name(), got[i], want[i])
			}
		}
	}
	require.Equal(t, strings.Fields(unwritten), slices.Sorted(maps.Keys(stay)))
}

// TestBadMinors: both on the host and written out, the factorization of Cholesky gives the order of the first leading
// minor that is not positive.
func TestBadMinors(t *testing.T) {
	given := ops.T{DType: dtype.F64, Shape: []int{6, 3, 3}, Values: []float64{
		4, 1, 0, 1, 3, 1, 0, 1, 2, // positive
		-1, 0, 0, 0, -1, 0, 0, 0, 1,
		4, 2, 0, 2, 1, 0, 0, 0, 1, // the second is 0
		1, 0, 0, 0, 1, 0, 0, 0, -2,
		0, 0, 0, 0, 0, 0, 0, 0, 0,
		math.NaN(), 0, 0, 0, 1, 0, 0, 0, 1}}
	for _, upper := range []bool{false, true} {
		call, err := ops.MustLookup("linalg_cholesky_ex").NewCall(ops.Sample{given, upper}.Args(rand.New(rand.NewPCG(1, 1)))...)
		require.NoError(t, err)
		module, values := call.Program()
		input := []*buf.Buffer{values[0].(ops.BufferValue).Buffer}
		exe, err := host.Device().Compile(context.Background(), module.Clone(map[*mlir.Value]*mlir.Value{}))
		require.NoError(t, err)
		want, err := exe.Run(context.Background(), input)
		require.NoError(t, err)
		exe.Close()
		require.NoError(t, compiler.Lower(module))
		require.NoError(t, expand.Host(module))
		f, err := compiler.EntryOf(module)
		require.NoError(t, err)
		got, err := reference.Run(f, input)
		require.NoError(t, err)
		for i, order := range []int64{0, 1, 2, 3, 1, 1} {
			require.Equal(t, order, want[1].Int64(i), "matrix %d on the host", i)
			require.Equal(t, order, got[1].Int64(i), "matrix %d written out", i)
		}
	}
}

// further are samples of what the operators' own leave out: systems that are solved from the right, matrices without an
// inverse, polynomials of all degrees at the ends of their interval, inside and outside of it.
var further = func() map[string][]ops.Sample {
	given := func(dims []int, values ...float64) ops.T { return ops.T{DType: dtype.F64, Shape: dims, Values: values} }
	list := map[string][]ops.Sample{
		"_linalg_solve_ex":        {{ops.S(2, 3, 3), ops.S(2, 2, 3), false}, {ops.S(3, 3), ops.S(1, 3), false}},
		"linalg_solve_triangular": {{ops.S(3, 3), ops.S(2, 3), true, false, false}, {ops.S(2, 3, 3), ops.S(2, 2, 3), false, false, true}},
	}
	singular := []ops.T{
		given([]int{3, 3}, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		given([]int{3, 3}, 1, 2, 3, 2, 4, 6, 1, 0, 1),   // a row twice
		given([]int{3, 3}, 0, 2, 3, 0, 4, 1, 0, -5, 1),  // a column of zeros
		given([]int{2, 2, 2}, 0, 1, 1, 0, -2, 1, 4, -2), // the second of a batch
	}
	regular := []ops.T{ // with zeros where pivots would be, and pivots of all sizes
		given([]int{3, 3}, 0.5, 0.25, 0, 0.1, -0.3, 0.2, 0.2, 0.1, 3),
		given([]int{3, 3}, 0, 1, 2, 3, 0, 1, -4, 2, 0),
		given([]int{4, 4}, 0, 0, 0, 2, 0, 0, -3, 0, 0, 5, 0, 0, 7, 0, 0, 0),
	}
	for _, m := range append(singular, regular...) {
		for name, more := range map[string]ops.Sample{"_linalg_det": nil, "_linalg_slogdet": nil, "linalg_lu_factor_ex": {true, false}} {
			list[name] = append(list[name], append(ops.Sample{m}, more...))
		}
	}
	for _, m := range regular {
		list["linalg_inv_ex"] = append(list["linalg_inv_ex"], ops.Sample{m, false})
	}
	complex := ops.T{DType: dtype.C64, Shape: []int{3, 4}}
	list["_fft_r2c"] = []ops.Sample{{ops.S(3, 4), []int{-1}, 1, true}, {ops.S(3, 5), []int{-2, -1}, 2, false}}
	list["_fft_c2c"] = []ops.Sample{{complex, []int{-2}, 1, true}, {complex, []int{0, -1}, 2, false}}
	list["_fft_c2r"] = []ops.Sample{{complex, []int{-1}, 2, 6}, {complex, []int{0, -1}, 0, 7}}
	x := given([]int{13, 1}, -2.5, -1, -0.75, -0.5, 0, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 3, math.NaN())
	for _, op := range ops.All() {
		if strings.Contains(op.Name(), "_polynomial_") && !strings.Contains(op.Name(), "scalar") {
			high := 12.0
			if strings.Contains(op.Name(), "chebyshev") { // which a host computes without the recurrence
				high = 1e10
			}
			degree := given([]int{16}, -1e10, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, high, math.NaN())
			list[op.Name()] = append(list[op.Name()], ops.Sample{x, degree})
		}
	}
	return list
}()

// unwritten are the operators of the host that have no loops.
const unwritten = `
_ctc_loss _ctc_loss.Tensor _ctc_loss_backward _ctc_loss_backward.Tensor _histogramdd_bin_edges _histogramdd_from_bin_cts
_histogramdd_from_bin_tensors _index_put_values_backward _linalg_check_errors _linalg_eigh _linalg_svd
_segment_reduce_backward digamma erfinv gcd geqrf histc histogram.bin_ct
histogram.bins_tensor i0 igamma igammac isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor lcm lgamma
linalg_eig linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_matrix_exp linalg_qr masked_scatter polygamma
segment_reduce special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1
special_entr special_i0e special_i1 special_i1e special_log_ndtr special_modified_bessel_i0
special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 special_ndtri
special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 special_spherical_bessel_j0 special_zeta
special_zeta.other_scalar special_zeta.self_scalar symeig tril_indices triu_indices`

// parts are inputs as the program takes them: complex numbers as two real ones.
func parts(t *testing.T, inputs []*buf.Buffer) []*buf.Buffer {
	out := slices.Clone(inputs)
	for i, b := range inputs {
		if b.DType == dtype.C64 {
			var err error
			out[i], err = buf.Wrap(dtype.F32, append(slices.Clone(b.Shape), 2), b.Bytes())
			require.NoError(t, err)
		}
	}
	return out
}

// compareParts compares numbers. If they are complex, got has their parts.
func compareParts(t *testing.T, name string, got, want *buf.Buffer) {
	t.Helper()
	for k := range want.Len() {
		w, g := []float64{want.Float64(k)}, []float64{got.Float64(k)}
		if want.DType.IsComplex() {
			c := want.Complex(k)
			w, g = []float64{real(c), imag(c)}, []float64{got.Float64(2 * k), got.Float64(2*k + 1)}
		}
		for p := range w {
			if !(math.Abs(g[p]-w[p]) <= 1e-5*math.Max(1, math.Abs(w[p]))) && g[p] != w[p] && !(math.IsNaN(g[p]) && math.IsNaN(w[p])) {
				t.Errorf("%s: element %d is %v, and %v on the host", name, k, g, w)
				return
			}
		}
	}
}
