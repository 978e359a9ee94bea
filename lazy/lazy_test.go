package lazy_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// value is a lazy.Value without the tensor layer.
type value struct {
	r *lazy.Runtime
	v ops.Value
}

func (v value) Trace() (*lazy.Runtime, ops.Value) { return v.r, v.v }

// newRuntime returns a runtime of its own, so that counters start at zero.
func newRuntime(t testing.TB) *lazy.Runtime {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return lazy.For(acap.New(m))
}

func leaf(values ...float32) *trace.Node { return trace.Leaf(buf.From(values, len(values))) }

func (v value) call(t testing.TB, name string, args ...ops.Value) value {
	list := []ops.Arg{ops.TensorArg(v.v)}
	for _, a := range args {
		list = append(list, ops.TensorArg(a))
	}
	n, err := v.r.Record(ops.MustLookup(name), list...)
	require.NoError(t, err)
	return value{v.r, n}
}

func data(v value) []float32 { return buf.Slice[float32](lazy.Data(v.v)) }

func TestSyncComputesWhatWasAskedFor(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(-1, 2)}
	y := x.call(t, "relu")
	z := y.call(t, "neg")
	other := x.call(t, "neg")
	require.NoError(t, lazy.Sync(context.Background(), z))
	require.Equal(t, []float32{0, -2}, data(z))
	require.Nil(t, lazy.Data(y.v), "an inner value is not kept")
	require.Nil(t, lazy.Data(other.v))
	require.Equal(t, 1, r.Metrics().CompiledPrograms)
	require.NoError(t, lazy.Sync(context.Background(), z))
	require.Equal(t, 0, r.Metrics().CachedPrograms, "a computed value needs no program")
}

func TestMetricsNameTheLine(t *testing.T) {
	r := newRuntime(t)
	h := value{r, leaf(1)}.call(t, "relu")
	ctx := context.Background()
	require.NoError(t, lazy.Sync(ctx, h.call(t, "neg")))
	require.NoError(t, lazy.Sync(ctx, h.call(t, "exp")))
	require.Contains(t, r.Metrics().String(), "Recomputed at lazy_test.go:")
	require.NotNil(t, lazy.Data(h.v))
}

func TestFallbacksAreCounted(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1, 0, 3)}
	n, err := r.Record(ops.MustLookup("nonzero"), ops.TensorArg(x.v))
	require.NoError(t, err)
	require.Equal(t, []int64{0, 2}, buf.Slice[int64](lazy.Data(n)))
	require.Equal(t, 1, r.Metrics().Fallbacks["aten.nonzero"])
}

func TestStages(t *testing.T) {
	r := newRuntime(t)
	y := value{r, leaf(1, 2)}.call(t, "relu")
	for stage, want := range map[lazy.Stage]string{
		lazy.StageStableHLO: "stablehlo.maximum", lazy.StageATen: `"aten.relu"(%arg0)`, lazy.StageACAP2019: "func @graph(",
		lazy.StageLinalg: "linalg.generic", lazy.StageKernel: "nest", lazy.StageAIE: "aie.device(npu1)", lazy.StageAIELowered: "aie.dma_bd",
	} {
		text, err := lazy.MLIRAt(stage, y)
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
	require.Nil(t, lazy.Data(y.v), "printing runs nothing")
	_, err := lazy.MLIRAt("nothing", y)
	require.Error(t, err)
	_, err = lazy.MLIRAt(lazy.StageStableHLO, value{r, matrix(2)}.call(t, "cholesky").call(t, "linalg_svdvals"))
	require.Error(t, err, "an operator that StableHLO does not have")
	other := value{newRuntime(t), leaf(1)}
	_, err = lazy.MLIRAt(lazy.StageATen, y, other)
	require.ErrorContains(t, err, "values are on")
}

// What GetMLIR prints reads back as the same text and runs to the same result.
func TestTextRunsAsTheTrace(t *testing.T) {
	r := newRuntime(t)
	x := leaf(-1, 0.5, 2)
	y := value{r, x}.call(t, "sigmoid").call(t, "mul.Tensor", x)
	text := string(lazy.GetMLIR(y))
	module, err := mlir.Parse("trace.mlir", []byte(text))
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(text), strings.TrimSpace(module.String()))
	exe, err := r.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	out, err := exe.Run(context.Background(), lazy.Inputs(y))
	require.NoError(t, err)
	require.NoError(t, lazy.Sync(context.Background(), y))
	require.Equal(t, data(y), buf.Slice[float32](out[0]))
}

func TestSpelling2019(t *testing.T) {
	r := newRuntime(t)
	x := trace.Leaf(buf.New(dtype.F32, []int{1, 2, 3}))
	y := value{r, x}.call(t, "add.Tensor", x)
	text, err := lazy.MLIRAt(lazy.StageACAP2019, y)
	require.NoError(t, err)
	require.Equal(t, `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    return %1 : tensor<1x2x3xf32>
  }
}
`, string(text))
}

func TestConcurrentBarriers(t *testing.T) {
	r := newRuntime(t)
	shared := value{r, leaf(1, 2, 3)}.call(t, "neg")
	var wait sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			y := shared.call(t, "neg")
			if err := lazy.Sync(context.Background(), y); err != nil {
				t.Error(err)
				return
			}
			if d := data(y); d[2] != 3 {
				t.Error(d)
			}
		}()
	}
	wait.Wait()
}

// TestConcurrentMisses has goroutines compile one pending value at once: the first
// that is done lets go of the operands that the others still read.
func TestConcurrentMisses(t *testing.T) {
	r := newRuntime(t)
	for n := 1; n <= 20; n++ {
		y := value{r, leaf(make([]float32, n)...)}.call(t, "cos").call(t, "neg")
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				if err := lazy.Sync(context.Background(), y); err != nil {
					t.Error(err)
				} else if d := data(y); d[n-1] != -1 {
					t.Error(d)
				}
			}()
		}
		wait.Wait()
	}
}

func TestClear(t *testing.T) {
	r := newRuntime(t)
	run := func() {
		require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(1)}.call(t, "neg")))
	}
	run()
	r.Clear()
	run()
	require.Equal(t, 2, r.Metrics().CompiledPrograms)
}

func ExampleGetMLIR() {
	r := lazy.For(acap.Device())
	n, err := r.Record(ops.MustLookup("relu"), ops.TensorArg(leaf(1, -2)))
	if err != nil {
		panic(err)
	}
	fmt.Print(lazy.GetMLIR(value{r, n}))
	// Output:
	// module {
	//   func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = "aten.relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}

var _ device.Device = acap.Device()

// A result that is kept does not keep the others of its program.
func TestResultsAreKeptAlone(t *testing.T) {
	r := newRuntime(t)
	var gone atomic.Bool
	var kept value
	func() {
		x := value{r, leaf(1, -2)}
		kept = x.call(t, "neg")
		other := x.call(t, "relu")
		require.NoError(t, lazy.Sync(context.Background(), kept, other))
		runtime.AddCleanup(lazy.Data(other.v), func(struct{}) { gone.Store(true) }, struct{}{})
	}()
	require.Eventually(t, func() bool { runtime.GC(); return gone.Load() }, time.Minute, time.Millisecond)
	runtime.KeepAlive(kept)
}
