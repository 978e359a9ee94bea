package acap_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// looped is the account of a program with a function's body, on rows %a and weights %w.
func looped(t *testing.T, name, body string) *report.Report {
	m, err := machine.Preset(name)
	require.NoError(t, err)
	module, err := mlir.Parse("loop.mlir", []byte("func.func @main(%a: tensor<16x64xf32>, %w: tensor<64x64xf32>, %n: index) -> tensor<16x64xf32> {\n"+
		body+"\nreturn %r : tensor<16x64xf32>\n}"))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	exe, err := acap.New(m).WithoutRetention().Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return acap.ReportOf(exe)
}

// step is one of a recurrence.
func step(from, to string) string {
	return fmt.Sprintf(`%%m%[2]s = "aten.mm"(%%%[1]s, %%w) : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
	%%%[2]s = "aten.cumsum"(%%m%[2]s) {dim = 0 : i64} : (tensor<16x64xf32>) -> tensor<16x64xf32>
	`, from, to)
}

// loop repeats a body, which computes %y from %x.
func loop(from, to string, turns int, body string) string {
	return fmt.Sprintf("%%from%[1]s = arith.constant 0 : index\n%%to%[1]s = arith.constant %[3]d : index\n%%by%[1]s = arith.constant 1 : index\n"+
		"%%%[1]s = scf.for %%i%[1]s = %%from%[1]s to %%to%[1]s step %%by%[1]s iter_args(%%x%[1]s = %%%[2]s) -> (tensor<16x64xf32>) {\n%[4]s\n"+
		"scf.yield %%y%[1]s : tensor<16x64xf32>\n}\n", to, from, turns, body)
}

// TestLoops: a recurrence is accounted as its steps written out, with one call of the host; a loop that holds more than
// a group, with a call for each turn.
func TestLoops(t *testing.T) {
	const turns = 12
	written, from := "", "a"
	for i := range turns - 1 {
		to := fmt.Sprint("v", i)
		written, from = written+step(from, to), to
	}
	written += step(from, "r")
	for _, name := range []string{"npu1", "vck190"} {
		want := looped(t, name, written).Total()
		r := looped(t, name, loop("a", "r", turns, step("xr", "yr")))
		got := r.Total()
		require.Equal(t, 2*turns, want.Launches)
		require.Less(t, got.Kernels, want.Kernels)
		require.Equal(t, []int{want.Launches, want.Calls, want.Loads}, []int{got.Launches, got.Calls, got.Loads}, name)
		require.Equal(t, []int64{want.MACs, want.ReadL3, want.WriteL3, want.L2, want.L1}, []int64{got.MACs, got.ReadL3, got.WriteL3, got.L2, got.L1})
		require.InEpsilon(t, want.Seconds, got.Seconds, 1e-9, name)
		require.InEpsilon(t, want.Joules, got.Joules, 1e-9, name)
		require.InEpsilon(t, want.Separate.Seconds(), got.Separate.Seconds(), 1e-9, name)
		require.InEpsilon(t, want.LoadsSaved, got.LoadsSaved, 1e-9, name)
		require.InEpsilon(t, want.Stalls.Host, got.Stalls.Host, 1e-9, name)
		require.InEpsilon(t, want.Stalls.Fill, got.Stalls.Fill, 1e-9, name)
		require.InDelta(t, want.PeakShare, got.PeakShare, 1e-12, name)
		require.Contains(t, r.Summary(), fmt.Sprintf("2 kernels in loops, each launched %d times", turns))
		sum := 0.0
		for _, adds := range r.Adds() {
			sum += adds.Seconds()
		}
		require.InEpsilon(t, got.Seconds, sum, 1e-9)

		nested := looped(t, name, loop("a", "r", 3, loop("xr", "yr", 4, step("xyr", "yyr")))).Total()
		require.InEpsilon(t, want.Seconds, nested.Seconds, 1e-9, "a loop in a loop")
		one := looped(t, name, loop("a", "r", 1, step("xr", "yr"))).Total()
		calls := looped(t, name, loop("a", "r", turns, step("xr", "yr")+`%s = tensor.extract %yr[%fromr, %fromr] : tensor<16x64xf32>
			%p = arith.cmpf une, %s, %s : f32
			%q = scf.if %p -> (tensor<16x64xf32>) { scf.yield %yr : tensor<16x64xf32> } else { scf.yield %a : tensor<16x64xf32> }`)).Total()
		require.Equal(t, turns, calls.Calls, "the host looks at every turn")
		require.InEpsilon(t, turns*one.Seconds, calls.Seconds, 1e-9)
	}
}

// TestOpenLoops: where data decides how often kernels run, a report says so and counts one turn.
func TestOpenLoops(t *testing.T) {
	one := looped(t, "npu1", loop("a", "r", 1, step("xr", "yr"))).Total()
	r := looped(t, "npu1", strings.Replace(loop("a", "r", 2, step("xr", "yr")), "to %tor step", "to %n step", 1))
	require.Equal(t, one.Seconds, r.Total().Seconds)
	require.Contains(t, r.Summary(), "data decides how often 2 kernels in loops or choices run; the total has one turn of each")
}

// TestNoTurns: kernels of a loop without turns add nothing.
func TestNoTurns(t *testing.T) {
	r := looped(t, "npu1", loop("a", "b", 0, step("xb", "yb"))+step("b", "r"))
	want := looped(t, "npu1", step("a", "r")).Total()
	got := r.Total()
	require.Equal(t, []int{want.Launches, want.Calls}, []int{got.Launches, got.Calls})
	require.InEpsilon(t, want.Seconds, got.Seconds, 1e-9)
	require.Contains(t, r.Summary(), "2 kernels in loops, each launched 0 times")
}

// TestLoopWrites: a loop writes y[t] alone, however long y is, and the first value of y is copied once; outside of a
// loop all of an array that another may need is copied.
func TestLoopWrites(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	account := func(text string) *report.Report {
		module, err := mlir.Parse("writes.mlir", []byte(text))
		require.NoError(t, err)
		require.NoError(t, mlir.Verify(module))
		exe, err := acap.New(m).WithoutRetention().Compile(context.Background(), module)
		require.NoError(t, err)
		t.Cleanup(exe.Close)
		return acap.ReportOf(exe)
	}
	written := func(r *report.Report) (kind workload.Kind, bytes int64) {
		for _, k := range r.Kernels {
			if strings.Contains(k.Name, "scatter") {
				return k.Work.Kind, k.Timing.WriteL3
			}
		}
		t.Fatalf("nothing is written to a place: %s", r)
		return 0, 0
	}
	for _, steps := range []int{64, 128} {
		kind, bytes := written(account(fmt.Sprintf(`func.func @main(%%x: tensor<%[1]dx1x64xf32>, %%h: tensor<1x1x64xf32>, %%w: tensor<64x64xf32>, %%u: tensor<64x64xf32>) -> tensor<%[1]dx1x64xf32> {
  %%r:2 = "aten.rnn_tanh.input"(%%x, %%h, %%w, %%u) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false, operandSegmentSizes = array<i32: 1, 1, 2>} : (tensor<%[1]dx1x64xf32>, tensor<1x1x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<%[1]dx1x64xf32>, tensor<1x1x64xf32>)
  return %%r#0 : tensor<%[1]dx1x64xf32>
}
`, steps)))
		require.Equal(t, workload.KindMove, kind)
		require.EqualValues(t, 32*64*4, bytes, "32 steps of a turn")
	}
	kind, _ := written(account(`func.func @main(%y: tensor<16x64xf32>, %at: tensor<1xi64>, %x: tensor<1x64xf32>) -> tensor<16x64xf32> {
  %r = "aten.index_copy"(%y, %at, %x) {dim = 0 : i64} : (tensor<16x64xf32>, tensor<1xi64>, tensor<1x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
`))
	require.Equal(t, workload.KindNormalize, kind)
}
