package published

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Attention is the mapping of attention on npu2: two heads at once, four tiles of 64 queries each, and a cascade of
// four stages over the keys, whose kernels mask scores and skip none. It returns false for machines without such
// kernels. No other mapping of attention was published.
func Attention(m *machine.Machine, masked bool) (mapping.Mapping, bool) {
	_, external := m.Compute.Styles["external"]
	return mapping.Mapping{Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 2,
		FanOut: 1, Tile: 64, TK: 64, TN: 64, Cascade: 4, Masked: masked, Style: "external", Depth: 2,
	}, external && m.Grid.Cols >= 8 && m.Grid.CoreRows >= 4
}
