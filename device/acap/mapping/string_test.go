package mapping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestString fixes the line of every kind: what is not used is not printed.
func TestString(t *testing.T) {
	for want, g := range map[string]mapping.Mapping{
		"4x4 parts 4x2 tile 64x32x16 depth 2/1 vector": {Kind: workload.KindContraction,
			Cols: 4, Rows: 4, PartsM: 4, PartsN: 2, TM: 64, TN: 32, TK: 16, Cascade: 1,
			StageM: 1, StageN: 1, Style: "vector", OutDepth: 1, Depth: 2},
		"2x4 parts 1x2 tile 8x8x8 l2k 128 cascade 4 stage 2x3 depth 2/2 scalar": {
			Kind: workload.KindContraction, Cols: 2, Rows: 4, PartsM: 1, PartsN: 2, TM: 8, TN: 8, TK: 8,
			KL2: 128, Cascade: 4, StageM: 2, StageN: 3, Style: "scalar", OutDepth: 2, Depth: 2},
		"8x4 parts 8x4 tile 48x192x24 l2k 24 hold 1 resident 2 depth 2/1 wide": {Kind: workload.KindContraction, Cols: 8, Rows: 4,
			PartsM: 8, PartsN: 4, TM: 48, TN: 192, TK: 24, KL2: 24, Hold: 1, Resident: 2, Cascade: 1, StageM: 1, StageN: 1,
			Style: "wide", OutDepth: 1, Depth: 2},
		"24x8 parts 4x24 tile 128x88x8 l2k 64 fan-out 1x3 cascade 2 depth 2/1 vector": {Kind: workload.KindContraction,
			Cols: 24, Rows: 8, PartsM: 4, PartsN: 24, TM: 128, TN: 88, TK: 8, KL2: 64, FanOutB: 3, Cascade: 2, StageM: 1,
			StageN: 1, Style: "vector", OutDepth: 1, Depth: 2},
		"1x4 parts 4x1 tile 28x16x72 positions 4x7 depth 2/2 vector": {
			Kind: workload.KindConvolution, Cols: 1, Rows: 4, PartsM: 4, PartsN: 1, TM: 28, TN: 16, TK: 72,
			OutRows: 4, OutCols: 7, Cascade: 1, StageM: 1, StageN: 1, Style: "vector",
			OutDepth: 2, Depth: 2},
		"4x4 heads 2 tile 32x64x16 cascade 4 depth 2": {Kind: workload.KindAttention,
			Cols: 4, Rows: 4, Heads: 2, FanOut: 1, Tile: 32, TK: 64, TN: 16, Cascade: 4, Depth: 2},
		"8x4 heads 6 tile 64x64x32 cascade 1 fan-out 3 masked depth 2": {Kind: workload.KindAttention,
			Cols: 8, Rows: 4, Heads: 6, FanOut: 3, Tile: 64, TK: 64, TN: 32, Cascade: 1, Masked: true, Depth: 2},
		// Refused before a tile was chosen.
		"8x4 parts 1x8 cascade 4 depth 2/0 vector": {Kind: workload.KindContraction, Cols: 8, Rows: 4, PartsM: 1, PartsN: 8,
			Cascade: 4, StageM: 1, StageN: 1, Style: "vector", Depth: 2},
		"8x4 heads 4 cascade 4 depth 2": {Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 4, FanOut: 1, Cascade: 4, Depth: 2},
		"4x1 tile 1024 depth 2":         {Kind: workload.KindPointwise, Cols: 4, Rows: 1, Tile: 1024, Depth: 2},
		"4x1 tile 1 x512 depth 1": {Kind: workload.KindNormalize, Cols: 4, Rows: 1, Tile: 1,
			TK: 512, Depth: 1},
		"8x4 tile 3 lanes 1 depth 2": {Kind: workload.KindNormalize, Cols: 8, Rows: 4, Tile: 3, Lanes: 1, Depth: 2},
		"8x2 at +0+2 tile 1 depth 2": {Kind: workload.KindNormalize, Cols: 8, Rows: 2, Row: 2, Tile: 1,
			Depth: 2},
		"32x16 ws": {Kind: workload.KindContraction, Cols: 32, Rows: 16, Style: "ws"},
	} {
		require.Equal(t, want, g.String())
	}
}
