package acap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
)

// sparseProduct is x times constant weights, some of which are zero: of every four along the sum the given number
// remains.
func sparseProduct(t *testing.T, d dtype.DType, m, k, n, remain int) *mlir.Operation {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 4))
	w := buf.New(d, []int{k, n})
	for j := range n {
		for first := 0; first < k; first += 4 {
			for _, i := range r.Perm(4)[:remain] {
				w.SetFloat64((first+i)*n+j, float64(1+r.IntN(7)))
			}
		}
	}
	x, y := fmt.Sprintf("tensor<%dx%dx%s>", m, k, d), fmt.Sprintf("tensor<%dx%dx%s>", m, n, d)
	op := `"aten.mm"`
	if !d.IsFloat() {
		op, y = `"aten._int_mm"`, fmt.Sprintf("tensor<%dx%dxi32>", m, n)
	}
	module, err := mlir.Parse("sparse.mlir", fmt.Appendf(nil, `func.func @main(%%x: %s) -> %s {
  %%w = arith.constant dense<"0x%X"> : tensor<%dx%dx%s>
  %%y = %s(%%x, %%w) : (%s, tensor<%dx%dx%s>) -> %s
  return %%y : %s
}`, x, y, w.Bytes(), k, n, d, op, x, k, n, d, y, y))
	require.NoError(t, err)
	return module
}

// TestSparseWeights: of weights with two zeros of every four AIE-ML stores a mask and half of the values, 40 bytes for
// 64 (UG1603), and multiplies half. The values are the same. Of three neighbours of four, and on other machines, it
// does not.
func TestSparseWeights(t *testing.T) {
	const m, k, n = 16, 1024, 512
	account := func(name string, module *mlir.Operation) *report.Report {
		dev, err := acap.Open(name)
		require.NoError(t, err)
		exe, err := dev.WithoutRetention().Compile(context.Background(), module.Clone(map[*mlir.Value]*mlir.Value{}))
		require.NoError(t, err)
		defer exe.Close()
		return acap.ReportOf(exe)
	}
	seconds := func(remain int) float64 {
		k := account("npu1", sparseProduct(t, dtype.BF16, 1024, 1024, 256, remain)).Kernels[0]
		return k.Array()
	}
	require.Less(t, seconds(2), 0.8*seconds(3), "cores bound it: half of the products, and the same calls")
	for _, d := range []dtype.DType{dtype.I8, dtype.BF16} {
		sparse, dense := sparseProduct(t, d, m, k, n, 2), sparseProduct(t, d, m, k, n, 3)
		got, of := account("npu1", sparse), account("npu1", dense)
		bytes := int64(k * n * d.Size())
		require.Equal(t, report.Sparsity{Products: 1, Skipped: 1, Bytes: bytes * 40 / 64, Dense: bytes}, got.Sparsity(), d)
		require.Equal(t, report.Sparsity{Products: 1}, of.Sparsity(), d)
		require.Contains(t, got.Summary(), "sparse weights: of 1 product", d)
		require.NotContains(t, of.Summary(), "sparse weights")
		a, b := got.Kernels[0].Timing, of.Kernels[0].Timing
		require.Less(t, a.Seconds-a.Launch, 0.8*(b.Seconds-b.Launch), "%v, which bytes bound", d)
		require.Equal(t, report.Sparsity{Products: 1, Kept: 1}, account("npu2", sparse).Sparsity(), d)

		x := buf.New(d, []int{m, k})
		for i := range x.Len() {
			x.SetFloat64(i, float64(i%7-3))
		}
		var results []*buf.Buffer
		for _, dev := range []device.Device{host.Device(), acap.Device()} {
			exe, err := dev.Compile(context.Background(), sparse.Clone(map[*mlir.Value]*mlir.Value{}))
			require.NoError(t, err)
			out, err := exe.Run(context.Background(), []*buf.Buffer{x})
			require.NoError(t, err)
			results = append(results, out[0])
			exe.Close()
		}
		require.Equal(t, results[0].Bytes(), results[1].Bytes(), d)
	}
}
