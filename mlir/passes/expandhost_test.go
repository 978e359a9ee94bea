package passes_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/passes"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// TestExpandedHost: an operator that is written out as loops computes what it computes on the host, by
// the reference evaluator. A complex result is compared by its parts.
func TestExpandedHost(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	seen := 0
	for _, op := range ops.All() {
		if op.Host == nil || op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		for _, sample := range op.Samples() {
			call, err := op.NewCall(sample.Args(r)...)
			if err != nil {
				continue // the types of its results depend on data
			}
			module, values := call.Program()
			var inputs []*buf.Buffer
			for _, v := range values {
				inputs = append(inputs, v.(ops.BufferValue).Buffer)
			}
			lowered := module.Clone(map[*mlir.Value]*mlir.Value{})
			require.NoError(t, compiler.Lower(lowered))
			require.NoError(t, passes.ExpandHost(lowered), op.Name())
			require.NoError(t, mlir.Verify(lowered), op.Name())
			if strings.Contains(lowered.Text(mlir.PrintOptions{}), "aten.") {
				continue
			}
			seen++
			exe, err := host.Device.Compile(context.Background(), module)
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
	require.Greater(t, seen, 50)
}

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

// compareParts compares numbers, of which got has the parts if they are complex.
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
