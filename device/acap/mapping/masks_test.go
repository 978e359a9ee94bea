package mapping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestMasksJoin expects masks of several heads on one stream where tiles of keys are as long as whole rows of them and
// they leave none of the last empty, or where they are a row.
func TestMasksJoin(t *testing.T) {
	for _, c := range []struct {
		d, tile, queries int
		mask             *workload.Mask
		join             bool
	}{
		{64, 48, 0, nil, true},
		{64, 48, 1, &workload.Mask{DType: dtype.F32}, true},
		{64, 64, 64, &workload.Mask{DType: dtype.F32}, true},
		{64, 128, 64, &workload.Mask{DType: dtype.BF16}, true},
		{64, 48, 64, &workload.Mask{DType: dtype.F32}, false},
		{3, 6, 64, &workload.Mask{DType: dtype.F64}, false}, // 12 bytes of keys
	} {
		a := &workload.Attention{D: c.d, DV: c.d, DType: dtype.F32, Mask: c.mask}
		if c.mask != nil {
			c.mask.Queries = c.queries
		}
		require.Equal(t, c.join, mapping.Mapping{Tile: c.tile, TN: c.d}.MasksJoin(a), c)
	}
}
