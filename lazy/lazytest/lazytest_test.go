package lazytest_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// recorder is a test that notes how it fails.
type recorder struct{ message string }

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	if r.message == "" {
		r.message = fmt.Sprintf(format, args...)
	}
}

func device(t testing.TB) *acap.Array {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

type value struct {
	r *lazy.Runtime
	v ops.Value
}

func (v value) Trace() (*lazy.Runtime, ops.Value) { return v.r, v.v }

func (v value) call(name string) value {
	n, err := v.r.Record(ops.MustLookup(name), ops.TensorArg(v.v))
	if err != nil {
		panic(err)
	}
	return value{v.r, n}
}

func input(dev *acap.Array, n int) value {
	return value{lazy.For(dev), trace.Leaf(buf.From(make([]float32, n), n))}
}

func compute(v value) {
	if err := lazy.Sync(context.Background(), v); err != nil {
		panic(err)
	}
}

func TestCompiles(t *testing.T) {
	dev := device(t)
	steps := func(sizes ...int) func() {
		return func() {
			for _, n := range sizes {
				compute(input(dev, n).call("cos"))
			}
		}
	}
	lazytest.Compiles(t, dev, 1, steps(1, 1, 1))
	var r recorder
	lazytest.Compiles(&r, dev, 1, steps(1, 2, 3))
	require.Contains(t, r.message, "2 programs were compiled, at most 1 are allowed")
	require.Contains(t, r.message, "f32[3]")
	require.EqualValues(t, 2, lazytest.Metrics(dev, steps(1, 2)).Counters["CachedCompile"])
}

func TestNoSyncAndFallbacks(t *testing.T) {
	dev := device(t)
	y := input(dev, 2).call("cos")
	read := func() { _, _ = y.r.Read(context.Background(), y.v) }
	var r recorder
	lazytest.NoSync(&r, read)
	require.Contains(t, r.message, "hidden barrier")
	read()
	lazytest.NoSync(t, read)
	lazytest.NoFallbacks(t, dev, func() { compute(y.call("neg")) })
	r = recorder{}
	lazytest.NoFallbacks(&r, dev, func() { input(dev, 4).call("nonzero") })
	require.Contains(t, r.message, "nonzero ran on the host")
}

// TestNoRepacking: a program packs a weight once; another weight is told with its place.
func TestNoRepacking(t *testing.T) {
	dev := device(t)
	weight := func() value { return value{lazy.For(dev), trace.Constant(buf.From(make([]float32, 64*64), 64, 64))} }
	w := weight()
	product := func(w value) func() {
		return func() {
			n, err := w.r.Record(ops.MustLookup("mm"), ops.TensorArg(trace.Leaf(buf.From(make([]float32, 64*64), 64, 64))), ops.TensorArg(w.v))
			require.NoError(t, err)
			compute(value{w.r, n})
		}
	}
	var r recorder
	lazytest.NoRepacking(&r, dev, product(w))
	require.Contains(t, r.message, "a program ran for the first time")
	lazytest.NoRepacking(t, dev, product(w))
	r = recorder{}
	lazytest.NoRepacking(&r, dev, product(weight()))
	require.Contains(t, r.message, "1 operands were packed")
	require.Contains(t, r.message, "input 1, tensor<64x64xf32> of mm at lazytest_test.go")
	lazytest.Runs(t, dev, 1, product(w))
	r = recorder{}
	lazytest.Runs(&r, dev, 1, func() { product(w)(); product(w)() })
	require.Contains(t, r.message, "2 programs ran, at most 1 are allowed")
}

// TestNoRecomputing: a value that is read after what was computed from it is told with its line.
func TestNoRecomputing(t *testing.T) {
	dev := device(t)
	steps := func(order ...int) func() {
		return func() {
			h := input(dev, 2).call("cos").call("sin")
			values := []value{h, h.call("neg")}
			for _, i := range order {
				compute(values[i])
			}
		}
	}
	lazytest.NoRecomputing(t, dev, steps(0, 1, 0, 1))
	lazytest.NoRecomputing(t, dev, steps(1, 1))
	var r recorder
	lazytest.NoRecomputing(&r, dev, steps(1, 0))
	require.Contains(t, r.message, "2 calls were computed again, for values of lazytest_test.go:")
	lazytest.NoRecomputing(t, dev, steps(0, 1))
}

func TestKernelsAndBytes(t *testing.T) {
	dev := device(t)
	y := input(dev, 1<<20).call("cos").call("neg")
	lazytest.MaxKernels(t, 1, y)
	lazytest.PeakBytes(t, 5<<20, y)
	var r recorder
	lazytest.MaxKernels(&r, 0, y)
	require.Contains(t, r.message, "1 kernels, at most 0")
	r = recorder{}
	lazytest.PeakBytes(&r, 1<<20, y)
	require.Contains(t, r.message, "the peak is 4") // MiB of the result; every thread has little besides
	compute(y)
	r = recorder{}
	lazytest.MaxKernels(&r, 1, y)
	require.Contains(t, r.message, "have been computed")
}

func TestGolden(t *testing.T) {
	dev := device(t)
	file := filepath.Join(t.TempDir(), "new", "cos.mlir")
	y := input(dev, 2).call("cos")
	var r recorder
	lazytest.Golden(&r, file, lazy.StageATen, y)
	require.Equal(t, file+" does not exist; `go test -update` writes it", r.message)
	require.NoError(t, flag.Set("update", "true"))
	lazytest.Golden(t, file, lazy.StageATen, y)
	require.NoError(t, flag.Set("update", "false"))
	lazytest.Golden(t, file, lazy.StageATen, y)
	r = recorder{}
	lazytest.Golden(&r, file, lazy.StageATen, input(dev, 2).call("sin"))
	require.Contains(t, r.message, "cos.mlir:3 differs")
	require.Contains(t, r.message, "aten.sin")
}

func ExampleCompiles() {
	dev := acap.Device()
	var t recorder // in a test, its *testing.T
	lazytest.Compiles(&t, dev, 1, func() {
		for range 3 {
			compute(input(dev, 7).call("tanh"))
		}
	})
	fmt.Println(t.message == "")
	// Output: true
}
