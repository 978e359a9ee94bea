package acap_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/mlir"
)

// A report from mappings on disk is the one from mappings that were searched, and a damaged
// cache changes nothing but the time.
func TestMappingsOnDisk(t *testing.T) {
	dir := t.TempDir()
	report := func(preset string) string {
		m, err := machine.Preset(preset)
		require.NoError(t, err)
		module, err := mlir.Parse("m.mlir", []byte(`func.func @main(%a: tensor<64x96xf32>, %b: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %0 = "aten.mm"(%a, %b) : (tensor<64x96xf32>, tensor<96x32xf32>) -> tensor<64x32xf32>
  %1 = "aten.softmax.int"(%0) {dim = 1} : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}`))
		require.NoError(t, err)
		exe, err := acap.New(m).Compile(context.Background(), module)
		require.NoError(t, err)
		defer exe.Close()
		return acap.ReportOf(exe).String()
	}
	t.Setenv(store.Variable, "")
	want := report("npu1")
	t.Setenv(store.Variable, dir)
	require.Equal(t, want, report("npu1"))
	files, err := filepath.Glob(filepath.Join(dir, "*.acap"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	before, _, _ := store.Default().Stats()
	require.Equal(t, want, report("npu1"))
	after, _, _ := store.Default().Stats()
	require.EqualValues(t, len(files), after-before, "all mappings were on disk")
	require.NotEqual(t, want, report("npu2"), "a mapping for another machine")
	for _, f := range files {
		require.NoError(t, os.Truncate(f, 100))
	}
	require.Equal(t, want, report("npu1"))
}
