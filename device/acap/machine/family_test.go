package machine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestFamilies: what a family decides is asked of its architecture alone.
func TestFamilies(t *testing.T) {
	for name, upstream := range map[string]string{"npu1": "npu1", "npu2": "npu2", "vek280": "xcve2802", "vck190": "xcvc1902"} {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		require.True(t, m.Programmed())
		require.Equal(t, upstream, m.Architecture().Upstream(m))
		m.Grid.Resize(2)
		require.Equal(t, strings.HasPrefix(name, "npu"), m.Architecture().Upstream(m) == name+"_2col")
	}
	m := machine.Systolic(4, 2, machine.WeightStationary)
	f, ok := m.Fixed()
	require.True(t, ok)
	require.Equal(t, "ws", f.Style(m))
	require.EqualValues(t, 2*3*(5+2*4+2-2)-1, f.Product(m, 5, 8, 6), "two folds of depth, three of columns")
}

// TestFamilyOfFile: a file whose family is none, or whose fields are of another, is refused with the cause.
func TestFamilyOfFile(t *testing.T) {
	for text, want := range map[string]string{
		`{"base": "npu1", "family": "aie3"}`:        "aie1, aie2, aie2p, systolic",
		`{"base": "npu1", "systolic": "os"}`:        "only for the family systolic",
		`{"base": "systolic", "systolic": "rows"}`:  "must be os, ws or is",
		`{"base": "npu1", "family": "systolic"}`:    "must be os, ws or is",
		`{"base": "systolic", "family": "aie2"}`:    "grid.shim_dma",
		`{"base": "systolic-4x4-is", "family": ""}`: "want one of",
	} {
		_, err := machine.Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestFind: devices as measurements name them.
func TestFind(t *testing.T) {
	for device, want := range map[string]string{"xdna 2": "npu2", "xdna": "npu1", "ryzen ai hawk point": "npu1", "npu2 (strix aie2p)": "npu2",
		"vc1902": "vck190", "vck5000": "vck5000", "ve2802": "vek280", "32x16 systolic": "systolic-32x16-is", "gpu": ""} {
		name, err := machine.Find(device, "gemm is")
		require.NoError(t, err)
		require.Equal(t, want, name, device)
	}
	_, err := machine.Find("systolic", "gemm")
	require.ErrorContains(t, err, "no size")
}
