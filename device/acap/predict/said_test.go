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
