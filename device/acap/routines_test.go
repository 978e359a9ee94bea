package acap_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/mlir"
)

// bodies are measured workloads as programs: what comes between the inputs and the result.
// T stands for the type of a whole array, R for one value a row, V for one row.
var bodies = map[string]struct{ inputs, body string }{
	"eltwise_add": {"T T", `%r = "aten.add.Tensor"(%0, %1) : (T, T) -> T`},
	"silu_mul": {"T T", `%s = "aten.silu"(%0) : (T) -> T
  %r = "aten.mul.Tensor"(%s, %1) : (T, T) -> T`},
	"gelu":      {"T", `%r = "aten.gelu"(%0) : (T) -> T`},
	"relu":      {"T", `%r = "aten.relu"(%0) : (T) -> T`},
	"silu":      {"T", `%r = "aten.silu"(%0) : (T) -> T`},
	"sigmoid":   {"T", `%r = "aten.sigmoid"(%0) : (T) -> T`},
	"tanh":      {"T", `%r = "aten.tanh"(%0) : (T) -> T`},
	"exp":       {"T", `%r = "aten.exp"(%0) : (T) -> T`},
	"softmax":   {"T", `%r = "aten.softmax.int"(%0) {dim = -1 : i64} : (T) -> T`},
	"gelu_tanh": {"T", `%r = "aten.gelu"(%0) {approximate = "tanh"} : (T) -> T`},
	"layernorm": {"T V V", `%r = "aten.layer_norm"(%0, %1, %2) {normalized_shape = array<i64: N>, eps = 1.0e-6 : f64} : (T, V, V) -> T`},
	"rmsnorm": {"T V", `%q = "aten.mul.Tensor"(%0, %0) : (T, T) -> T
  %m = "aten.mean.dim"(%q) {dim = array<i64: -1>, keepdim = true} : (T) -> R
  %e = "aten.add.Scalar"(%m) {other = 1.0e-6 : f64} : (R) -> R
  %i = "aten.rsqrt"(%e) : (R) -> R
  %n = "aten.mul.Tensor"(%0, %i) : (T, R) -> T
  %r = "aten.mul.Tensor"(%n, %1) : (T, V) -> T`},
	"gemm": {"T M", `%r = "aten.mm"(%0, %1) : (T, M) -> T`},
}

func programOf(workload string, rows, cols int) string {
	b := bodies[workload]
	var inputs []string
	for i, t := range strings.Fields(b.inputs) {
		inputs = append(inputs, fmt.Sprintf("%%%d: %s", i, t))
	}
	text := "func.func @main(" + strings.Join(inputs, ", ") + ") -> T {\n  " + b.body + "\n  return %r : T\n}\n"
	types := map[string]string{"T": fmt.Sprintf("tensor<%dx%dxbf16>", rows, cols),
		"V": fmt.Sprintf("tensor<%dxbf16>", cols), "R": fmt.Sprintf("tensor<%dx1xbf16>", rows),
		"M": fmt.Sprintf("tensor<%dx%dxbf16>", cols, cols), "N": fmt.Sprint(cols)}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		t, named := types[text[i:i+1]]
		alone := i > 0 && strings.ContainsRune(" (", rune(text[i-1])) && strings.ContainsRune(" ,)>\n", rune(text[i+1]))
		if named && alone {
			out.WriteString(t)
		} else {
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

// TestRoutines predicts measured workloads from a row of a table and from a program of the
// same computation: the array takes the same time for both.
func TestRoutines(t *testing.T) {
	array, err := acap.Open("npu2")
	require.NoError(t, err)
	exact := predict.Defaults{Setting: machine.Setting{BF16: machine.BF16Exact}}
	for workload := range bodies {
		for _, shape := range [][2]int{{512, 1024}, {1024, 768}, {2048, 2048}} {
			module, err := mlir.Parse(workload, []byte(programOf(workload, shape[0], shape[1])))
			require.NoError(t, err)
			exe, err := array.Compile(context.Background(), module)
			require.NoError(t, err)
			r := acap.ReportOf(exe)
			exe.Close()
			require.Len(t, r.Kernels, 1, workload)
			row := predict.Row{Device: "npu2", Workload: workload, M: shape[0], N: shape[1],
				DType: "bf16", Metric: "latency", Value: 1, Unit: "us"}
			if workload == "gemm" {
				row.K = shape[1]
			}
			p := exact.Rows([]predict.Row{row})[0]
			require.Empty(t, p.Skipped, workload)
			got := 1e6 * r.Kernels[0].Timing.Seconds
			if math.Abs(got/p.Best-1) > 0.02 {
				t.Errorf("%s of %v: %.1f us as a program, %.1f us as a row: %+v", workload, shape, got, p.Best,
					*r.Kernels[0].Work)
			}
		}
	}
}
