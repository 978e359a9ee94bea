package distributed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/distributed"
)

// Short tags of neighbouring exchanges of all kinds differ, and fit.
func TestShortTags(t *testing.T) {
	seen := map[int]uint64{}
	for sequence := uint64(1e6); sequence < 1e6+32; sequence++ {
		for _, kind := range []uint64{0, 1, 1 << 62, 1<<62 | 1, 1 << 61, 1<<61 | 1} {
			tag := sequence<<1 | kind
			short := distributed.ShortTag(tag, 8)
			require.Less(t, short, 256)
			require.NotContains(t, seen, short)
			seen[short] = tag
		}
	}
}
