package mutants

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/mlir"
)

// cached is a model whose product and sum are mapped onto the array.
const cached = `func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x48xf32>) -> tensor<16x48xf32> {
  %0 = "aten.mm"(%x, %w) : (tensor<16x32xf32>, tensor<32x48xf32>) -> tensor<16x48xf32>
  %1 = "aten.relu"(%0) : (tensor<16x48xf32>) -> tensor<16x48xf32>
  return %1 : tensor<16x48xf32>
}
`

// TestCacheMutants alters what the cache on disk has of a model, with the right checksums: a process that finds the
// entries has results or an error, and its account too. ACAP_LONG=1 tries twenty times as many.
func TestCacheMutants(t *testing.T) {
	defer buf.SetLimit(buf.SetLimit(limit))
	dir := t.TempDir()
	t.Setenv(store.Variable, dir)
	module, err := mlir.Parse("cached.mlir", []byte(cached))
	require.NoError(t, err)
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	inputs := []*buf.Buffer{buf.New(dtype.F32, []int{16, 32}), buf.New(dtype.F32, []int{32, 48})}
	use := func() error {
		ctx := newCounted()
		defer ctx.end()
		exe, err := acap.New(m).Compile(ctx, module) // an array that has nothing in memory
		if err != nil {
			return err
		}
		defer exe.Close()
		if _, err := exe.Run(ctx, inputs); err != nil {
			return err
		}
		report := acap.ReportOf(exe)
		_ = report.String()
		_, err = json.Marshal(report)
		return err
	}
	require.NoError(t, use())
	entries, err := store.Default().List()
	require.NoError(t, err)
	kinds := map[string]bool{}
	disk := store.Open(dir, 0, store.Version())
	for _, e := range entries {
		sound, ok := disk.Get(e.Kind, e.Key)
		require.True(t, ok)
		sound = slices.Clone(sound)
		kinds[e.Kind] = true
		for what, form := range hostile.Variants(sound, longtest.Sample(1, 2, 40)) {
			disk.Put(e.Kind, e.Key, "", form)
			if _, err := within(t, e.Kind+" "+what, use); err != nil {
				require.NotContains(t, strings.ToLower(err.Error()), "runtime error")
			}
		}
		disk.Put(e.Kind, e.Key, "", sound)
	}
	require.True(t, kinds["mapping"] && kinds["program"], "%v", kinds)
}
