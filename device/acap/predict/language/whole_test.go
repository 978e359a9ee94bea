package language

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
)

// TestWholeToken: a row of a stack that keeps a model on the array is predicted by Token for the machine as it was
// used, with the scores that the host reads. Other rows are programs of layers, and say so where the prediction is far
// from the measurement.
func TestWholeToken(t *testing.T) {
	const row = "x,2,512,8,2,64,1536,4096,decode,token,%s,,,%g,%s"
	seen := map[int]float64{} // clocks
	token := func(m *machine.Machine, _ *Decoder, tokens, places int) (Token, error) {
		seen[places] = m.Clock.Value
		require.Equal(t, m.Host.Dispatch["wall"].Launch, m.Host.Launch)
		return Token{schedule.Cost{Array: 2e-3}, timing.Energy{Compute: 1e-3, Outside: 5e-3, Rest: 3e-3}}, nil
	}
	rows := modelRows(t, fmt.Sprintf(row, "flm", 2.0, "power mode performance; context 1024"), fmt.Sprintf(row, "", 2.0, "FastFlowLM"),
		fmt.Sprintf(row, "", 100.0, "int4"),
		strings.Replace(fmt.Sprintf(row, "flm", 1.6, "mode performance; context 2048"), "token", "watts", 1),
		strings.Replace(fmt.Sprintf(row, "", 1.6, ""), "token", "watts", 1))
	out, err := Defaults{Token: token}.Rows(rows)
	require.NoError(t, err)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	require.Equal(t, map[int]float64{1025: 1584e6, 2049: 1584e6, 1: m.Clock.Value}, seen)
	require.InEpsilon(t, 2.0, out[3].Predicted, 1e-12, "4 mJ of the array in 2 ms")
	require.Equal(t, "language models, watts", out[3].Row.Group())
	require.Equal(t, "watts of tokens", out[3].Kind())
	require.True(t, out[3].Low < out[3].Predicted && out[3].Predicted < out[3].High)
	require.Contains(t, out[4].Skipped, "watts")
	require.InEpsilon(t, 2+1e3*(2+9*4)*4096/m.Host.Copy.Value, out[0].Predicted, 1e-12, "bf16, and nine times f32 or i32")
	require.Len(t, out[0].Remarks, 1)
	require.Len(t, out[1].Remarks, 2, "no position said")
	require.Contains(t, out[2].Remarks[0], "mlir-air's programs")
	out, err = Rows(rows)
	require.NoError(t, err)
	require.NotEmpty(t, out[0].Skipped)
	require.NotEmpty(t, out[1].Skipped)
	require.NotZero(t, out[2].Predicted)
}
