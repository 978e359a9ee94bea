package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestWideRows maps normalizations whose rows exceed the memory of a core.
func TestWideRows(t *testing.T) {
	for _, name := range arrays {
		for _, cols := range []int{32000, 50257, 200001} {
			for _, passes := range []int{1, 2, 3} {
				all := workload.Stream{DType: dtype.F32, Elements: 7 * int64(cols)}
				n := workload.Normalize{Rows: 7, Cols: cols, DType: dtype.F32, Passes: passes,
					Ops: workload.Mix{Simple: 4}, In: []workload.Stream{all}}
				if passes == 1 {
					n.Out = []workload.Stream{{DType: dtype.F32, Elements: 7}}
				} else {
					n.In = append(n.In, workload.Stream{DType: dtype.F32, Elements: int64(cols)})
					n.Out = []workload.Stream{all}
				}
				w := &workload.Kernel{Name: "wide", Kind: workload.KindNormalize, Normalize: n}
				c, err := mapper.Map(machinetest.Preset(t, name), w)
				if err != nil {
					t.Fatal(err)
				}
				p, err := c.Program()
				if err != nil {
					t.Fatal(err)
				}
				p.Lower()
				if err := p.Verify(); err != nil || c.Mapping.TK == 0 {
					t.Errorf("%s, %d columns, %d passes, %v: %v", name, cols, passes, c.Mapping,
						err)
				}
			}
		}
	}
}

// TestRowsBeyondDescriptors: a core with more memory holds rows that no descriptor moves at once, and takes them in
// pieces as before.
func TestRowsBeyondDescriptors(t *testing.T) {
	const rows, cols = 6, 38898 // 19449 words, and a descriptor has 14 bits for them
	all := workload.Stream{DType: dtype.BF16, Elements: rows * cols}
	w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: rows, Cols: cols, DType: dtype.BF16, Passes: 1,
		Ops: workload.Mix{Simple: 4}, In: []workload.Stream{all}, Out: []workload.Stream{all}}}
	m := machinetest.Preset(t, "vek280")
	before, err := mapper.Map(m, w)
	require.NoError(t, err)
	m.Core.Memory.Value = 200 << 10
	after, err := mapper.Map(m, w)
	require.NoError(t, err)
	require.NoError(t, after.Verify())
	require.LessOrEqual(t, after.Timing.Seconds, before.Timing.Seconds)
}
