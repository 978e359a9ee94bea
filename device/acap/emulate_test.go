package acap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/mlir"
)

// TestEmulatedTime multiplies bf16 on npu2 in both ways: block floating point takes less time, in kernels that are made
// for it, and as many bytes, as operands are turned to it in registers.
func TestEmulatedTime(t *testing.T) {
	const text = "func.func @main(%0: tensor<1024x1024xbf16>, %1: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {\n" +
		`  %r = "aten.mm"(%0, %1) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>` +
		"\n  return %r : tensor<1024x1024xbf16>\n}\n"
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	seconds := map[string]float64{}
	for way, kernels := range map[string]string{machine.BF16Exact: "exact", machine.BF16Emulated: "balanced"} {
		array, err := acap.New(m).In(machine.Setting{BF16: way})
		require.NoError(t, err)
		module, err := mlir.Parse("mm", []byte(text))
		require.NoError(t, err)
		exe, err := array.Compile(context.Background(), module)
		require.NoError(t, err)
		r := acap.ReportOf(exe)
		exe.Close()
		product := -1
		for i := range r.Kernels {
			if strings.HasSuffix(r.Kernels[i].Mapping.Style, kernels) {
				product = i
			}
		}
		require.GreaterOrEqual(t, product, 0, "%s: %v", way, r.Kernels[0].Mapping)
		seconds[way] = r.Kernels[product].Timing.Seconds
	}
	require.Less(t, seconds[machine.BF16Emulated], seconds[machine.BF16Exact])
	npu1, err := machine.Preset("npu1")
	require.NoError(t, err)
	_, err = acap.New(npu1).In(machine.Setting{BF16: machine.BF16Emulated})
	require.ErrorContains(t, err, "no multipliers")
}
