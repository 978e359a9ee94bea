package predict_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// TestDifference: rows that were measured with another clock or another way to start kernels than they say are told so,
// and others how fast their kernels were.
func TestDifference(t *testing.T) {
	predicted := func(row string, s machine.Setting) float64 {
		rows, err := predict.Read(strings.NewReader(head + "s," + row + ",latency,1,us,\n"))
		require.NoError(t, err)
		return predict.Defaults{Setting: s}.Rows(rows)[0].Predicted
	}
	remarks := func(row string, us float64) string {
		return strings.Join(one(t, "s", row+fmt.Sprintf(",latency,%g,us,", us)).Remarks, "; ")
	}
	const small, large = "npu2,relu,4096,,,bf16,1", "npu2,gemm,1024,1024,1024,i16,32"
	require.Contains(t, remarks(small, predicted(small, machine.Setting{Dispatch: "wall"})), "as slow as predicted: about as long as it takes with -dispatch wall")
	require.Contains(t, remarks(large, predicted(large, machine.Setting{Mode: "powersave"})), "about as long as it takes in -mode powersave")
	require.NotContains(t, remarks(large, predicted(large, machine.Setting{})), "measured")

	p := one(t, "s", large+",latency,1,s,")
	clock, err := machine.Preset("npu2")
	require.NoError(t, err)
	rate := math.Pow(1024, 3) / clock.Clock.Value / 32
	require.Contains(t, strings.Join(p.Remarks, "; "), fmt.Sprintf("%.3g multiply-accumulates a cycle and core, where these kernels reach", rate))
	require.Contains(t, remarks("npu2,relu,4096,,,bf16,1", 1e6), "1e+03 ms more than this kernel and its start take")
	require.Contains(t, remarks("npu2,gemv,16384,16384,1,bf16,32", 100), "its matrices would come at 5.37e+03 GB/s")
	require.Contains(t, remarks("npu2,gemm,512,512,512,i8,32", 1000), "measured")
}

// TestSourceSaysNothing: words in the name of a source are no description of its rows.
func TestSourceSaysNothing(t *testing.T) {
	const row = "npu1,gemm,512,512,512,bf16,16,latency,300,us,"
	named := one(t, "someone/ryzenai-npu-lab with onnxruntime", row)
	require.Equal(t, one(t, "s", row).Remarks, named.Remarks)
	require.Positive(t, named.High)
	require.Zero(t, one(t, "s", row+"through ONNX Runtime").High)
}

// TestTilesThatFitNothing: a row whose tiles fit no kernel is predicted in another mapping, and says so.
func TestTilesThatFitNothing(t *testing.T) {
	p := one(t, "s", "npu2,gemm,4096,4096,4096,bf16,32,latency,1,ms,tile 512x512x512")
	require.Contains(t, strings.Join(p.Remarks, "; "), "what the row says of its mapping fits no kernel that is known")
	p = one(t, "s", "npu2,gemm,4096,4096,4096,bf16,32,latency,1,ms,")
	require.Contains(t, strings.Join(p.Remarks, "; "), "no mapping said")
}

// TestMaker: who published a row is told by the beginning of its source.
func TestMaker(t *testing.T) {
	for source, maker := range map[string]string{
		"amd/IRON pull 177": "amd/IRON", "E. Taka et al., Striking the Balance": "E. Taka et al", "me": "me", "": "", " lab, 3 runs": "lab",
	} {
		require.Equal(t, maker, (&predict.Row{Source: source}).Maker())
	}
}
