package predict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// TestSaid has words of rows choose how kernels are started and bf16 is multiplied: the host's path adds what the paths
// differ by, and bf16 as it is takes longer than block floating point.
func TestSaid(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	us := func(notes string) float64 {
		p := one(t, "s", "npu2,gemm,512,512,512,bf16,32,latency,1,us,"+notes)
		require.Empty(t, p.Skipped)
		return p.Predicted
	}
	usual := us("emulated")
	for notes, way := range map[string]string{"queued": "queued", "\"median, wall\"": "wall", "own ELF": "switched"} {
		require.InDelta(t, usual+1e6*(m.Host.Dispatch[way].Launch.Value-m.Host.Launch.Value), us(notes), 1e-6, notes)
	}
	require.Greater(t, us("native bf16"), usual)
}

// TestSources takes rows that do not say how they were dispatched as the others of their source do.
func TestSources(t *testing.T) {
	row := predict.Row{Source: "ci", Device: "npu2", Workload: "gemm", M: 256, K: 256, N: 256, DType: "bf16", Metric: "latency", Value: 300, Unit: "us"}
	said := row
	said.Notes = "median, wall"
	p := predict.Rows([]predict.Row{row, said})
	require.Equal(t, p[1].Predicted, p[0].Predicted)
	require.Less(t, predict.Rows([]predict.Row{row})[0].Predicted, p[0].Predicted)
}

// TestCheck: a setting that some machine of the rows has is taken, and one that none has refused.
func TestCheck(t *testing.T) {
	rows := []predict.Row{{Device: "npu1", Workload: "gemm"}, {Device: "npu2", Workload: "gemm"}, {Device: "nothing known"}}
	for setting, want := range map[machine.Setting]string{
		{}:                       "",
		{Mode: "qos"}:            "", // of npu1
		{Dispatch: "switched"}:   "",
		{BF16: "exact"}:          "",
		{Mode: "fast"}:           `npu1 has no mode "fast"`,
		{Dispatch: "teleport"}:   `npu1 has no dispatch "teleport"`,
		{BF16: "fp8"}:            `not as "fp8"`,
		{Mode: "qos", BF16: "x"}: `not as "x"`,
	} {
		if err := (predict.Defaults{Setting: setting}).Check(rows); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
	require.NoError(t, predict.Defaults{}.Check(nil))
	require.NoError(t, predict.Defaults{Setting: machine.Setting{BF16: machine.BF16Emulated}}.Check(rows[:1]))
}
