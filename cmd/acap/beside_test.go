package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/beside"
)

// TestBeside tells two models on parts of an array, and refuses what is none.
func TestBeside(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.mlir")
	require.NoError(t, os.WriteFile(model, []byte(`func.func @main(%x: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  %0 = "aten.relu"(%x) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
}
`), 0o644))
	var o struct{ Shares []beside.Share }
	out, _, status := invoke(t, "beside", model, model, "-machine", "npu2", "-columns", "6,2", "-json")
	require.Zero(t, status)
	require.NoError(t, json.Unmarshal([]byte(out), &o))
	require.Equal(t, []int{6, 2}, []int{o.Shares[0].Columns, o.Shares[1].Columns})
	require.GreaterOrEqual(t, o.Shares[0].Seconds, o.Shares[0].Alone)
	out, _, status = invoke(t, "beside", model, model, "-machine", "npu2", "-arrays")
	require.Zero(t, status)
	require.Contains(t, out, "8 of 8")
	twins := filepath.Join(t.TempDir(), "twins.json")
	require.NoError(t, os.WriteFile(twins, []byte(`{"base": "npu2", "name": "twins", "arrays": {"number": 2, "share": ["memory"]}}`), 0o644))
	out, _, status = invoke(t, "beside", model, model, "-machine", twins)
	require.Zero(t, status)
	require.Contains(t, out, "8 of 8")
	_, _, status = invoke(t, "beside", model, model, model, "-machine", twins)
	require.Equal(t, 1, status, "three models for two arrays")
	for _, wrong := range [][]string{{model, model, "-columns", "6"}, {model, model, "-columns", "6,x"}, {model, model, "-columns", "4,8"},
		{model, model, "-columns", "4,4", "-arrays"}, {model, model, "-machine", "systolic"}} {
		_, _, status := invoke(t, append([]string{"beside"}, wrong...)...)
		require.NotZero(t, status, wrong)
	}
}
