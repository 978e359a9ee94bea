package systolic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/systolic"
)

// TestGolden: SCALE-Sim's own reference reports of a product on 32 × 32 cells with 64 KB for each array and 10 words a cycle.
func TestGolden(t *testing.T) {
	for flow, want := range map[machine.Dataflow]systolic.Cycles{
		machine.OutputStationary: {Compute: 10175, Stalls: 42272, Total: 52447, WithPrefetch: 59000, InputReads: 524320, FilterReads: 32770, Writes: 32768},
		machine.WeightStationary: {Compute: 11199, Stalls: 41248, Total: 52447, WithPrefetch: 59002, InputReads: 524320, FilterReads: 32770, Writes: 262175},
		machine.InputStationary:  {Compute: 14207, Stalls: 5777, Total: 19984, WithPrefetch: 29815, InputReads: 131080, FilterReads: 32770, Writes: 262157},
	} {
		got, err := systolic.Product{Flow: flow, Rows: 32, Cols: 32, M: 256, K: 256, N: 128, Input: 64 << 10, Filter: 64 << 10, Output: 64 << 10, Words: 10}.Count()
		require.NoError(t, err)
		require.Equal(t, want, got, flow)
	}
}

// TestRuns: what SCALE-Sim (of August 2025) says of arrays that are not square, of folds that are not full, and of scratchpads that are too small, of
// each of the three arrays.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		systolic.Product
		want systolic.Cycles
	}{
		{systolic.Product{Flow: "os", Rows: 8, Cols: 8, M: 61, N: 45, K: 97, Input: 1 << 10, Filter: 1 << 10, Output: 1 << 10, Words: 4},
			systolic.Cycles{WithPrefetch: 47109, Total: 46935, Stalls: 41608, Compute: 5327, InputReads: 47104, FilterReads: 186368, Writes: 2748}},
		{systolic.Product{Flow: "ws", Rows: 8, Cols: 8, M: 61, N: 45, K: 97, Input: 1 << 10, Filter: 1 << 10, Output: 1 << 10, Words: 4},
			systolic.Cycles{WithPrefetch: 18038, Total: 17817, Stalls: 11344, Compute: 6473, InputReads: 70656, FilterReads: 65024, Writes: 35704}},
		{systolic.Product{Flow: "is", Rows: 8, Cols: 8, M: 61, N: 45, K: 97, Input: 1 << 10, Filter: 1 << 10, Output: 1 << 10, Words: 4},
			systolic.Cycles{WithPrefetch: 30165, Total: 29944, Stalls: 22977, Compute: 6967, InputReads: 117248, FilterReads: 99840, Writes: 35704}},
		{systolic.Product{Flow: "os", Rows: 16, Cols: 4, M: 40, N: 30, K: 200, Input: 4 << 10, Filter: 1 << 10, Output: 1 << 10, Words: 8},
			systolic.Cycles{WithPrefetch: 12736, Total: 12458, Stalls: 7227, Compute: 5231, InputReads: 81920, FilterReads: 95232, Writes: 1207}},
		{systolic.Product{Flow: "ws", Rows: 16, Cols: 4, M: 40, N: 30, K: 200, Input: 1 << 10, Filter: 2 << 10, Output: 1 << 10, Words: 8},
			systolic.Cycles{WithPrefetch: 47503, Total: 47345, Stalls: 39650, Compute: 7695, InputReads: 372736, FilterReads: 185344, Writes: 15607}},
		{systolic.Product{Flow: "is", Rows: 4, Cols: 16, M: 70, N: 33, K: 50, Input: 2 << 10, Filter: 1 << 10, Output: 2 << 10, Words: 3},
			systolic.Cycles{WithPrefetch: 10166, Total: 9390, Stalls: 5816, Compute: 3574, InputReads: 21546, FilterReads: 10260, Writes: 30030}},
		{systolic.Product{Flow: "os", Rows: 8, Cols: 8, M: 64, N: 64, K: 64, Input: 8 << 10, Filter: 8 << 10, Output: 1 << 10, Words: 2},
			systolic.Cycles{WithPrefetch: 7295, Total: 4991, Stalls: 0, Compute: 4991, InputReads: 4096, FilterReads: 4096, Writes: 4097}},
		{systolic.Product{Flow: "ws", Rows: 8, Cols: 8, M: 64, N: 64, K: 64, Input: 8 << 10, Filter: 8 << 10, Output: 8 << 10, Words: 16},
			systolic.Cycles{WithPrefetch: 6015, Total: 5503, Stalls: 0, Compute: 5503, InputReads: 4096, FilterReads: 4096, Writes: 32783}},
		{systolic.Product{Flow: "is", Rows: 32, Cols: 32, M: 100, N: 80, K: 60, Input: 2 << 10, Filter: 2 << 10, Output: 2 << 10, Words: 10},
			systolic.Cycles{WithPrefetch: 4531, Total: 4368, Stalls: 2977, Compute: 1391, InputReads: 42230, FilterReads: 29870, Writes: 16033}},
		{systolic.Product{Flow: "ws", Rows: 5, Cols: 7, M: 33, N: 41, K: 29, Input: 1 << 10, Filter: 1 << 10, Output: 1 << 10, Words: 1},
			systolic.Cycles{WithPrefetch: 9099, Total: 7638, Stalls: 5911, Compute: 1727, InputReads: 6656, FilterReads: 3584, Writes: 8118}},
	} {
		got, err := c.Count()
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%+v", c.Product)
	}
}

// TestCompute: cells take what the formula says, with every scratchpad and width, and larger scratchpads and more words a cycle lead to no stalls.
func TestCompute(t *testing.T) {
	for _, flow := range []machine.Dataflow{machine.OutputStationary, machine.WeightStationary, machine.InputStationary} {
		p := systolic.Product{Flow: flow, Rows: 8, Cols: 12, M: 50, K: 70, N: 90, Input: 512, Filter: 700, Output: 300, Words: 3}
		got, err := p.Count()
		require.NoError(t, err)
		require.Equal(t, flow.Cycles(8, 12, 50, 70, 90), got.Compute)
		require.Positive(t, got.Stalls)
		p.Input, p.Filter, p.Output, p.Words = 1<<16, 1<<16, 1<<20, 64
		got, err = p.Count()
		require.NoError(t, err)
		require.Equal(t, systolic.Cycles{Compute: got.Compute, Total: got.Compute, WithPrefetch: got.WithPrefetch, InputReads: got.InputReads, FilterReads: got.FilterReads, Writes: got.Writes}, got)
	}
	_, err := systolic.Product{Flow: "rs", Rows: 1, Cols: 1, M: 1, K: 1, N: 1, Input: 1, Filter: 1, Output: 1, Words: 1}.Count()
	require.ErrorContains(t, err, `no dataflow "rs"`)
	_, err = systolic.Product{Flow: "os"}.Count()
	require.ErrorContains(t, err, "want numbers from 1")
}
