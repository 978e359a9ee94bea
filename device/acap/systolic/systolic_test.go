package systolic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/systolic"
)

// reports are what SCALE-Sim says: the product, the KiB of the scratchpads for the inputs, the filter and the outputs,
// the words that each moves a cycle, and the cycles and transfers. The first three are its own reference reports. The
// others are runs of August 2025, of arrays that are not square, of folds that are not full, and of scratchpads too
// small for each of the operands.
const reports = `
flow rows cols   M   K   N input filter output words compute stalls total prefetch inputs filters writes
os     32   32 256 256 128    64     64     64    10   10175  42272 52447    59000 524320   32770  32768
ws     32   32 256 256 128    64     64     64    10   11199  41248 52447    59002 524320   32770 262175
is     32   32 256 256 128    64     64     64    10   14207   5777 19984    29815 131080   32770 262157
os      8    8  61  97  45     1      1      1     4    5327  41608 46935    47109  47104  186368   2748
ws      8    8  61  97  45     1      1      1     4    6473  11344 17817    18038  70656   65024  35704
is      8    8  61  97  45     1      1      1     4    6967  22977 29944    30165 117248   99840  35704
os     16    4  40 200  30     4      1      1     8    5231   7227 12458    12736  81920   95232   1207
ws     16    4  40 200  30     1      2      1     8    7695  39650 47345    47503 372736  185344  15607
is      4   16  70  50  33     2      1      2     3    3574   5816  9390    10166  21546   10260  30030
os      8    8  64  64  64     8      8      1     2    4991      0  4991     7295   4096    4096   4097
ws      8    8  64  64  64     8      8      8    16    5503      0  5503     6015   4096    4096  32783
is     32   32 100  60  80     2      2      2    10    1391   2977  4368     4531  42230   29870  16033
ws      5    7  33  29  41     1      1      1     1    1727   5911  7638     9099   6656    3584   8118
`

// TestReports: products take what SCALE-Sim says.
func TestReports(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(reports), "\n")[1:]
	require.Len(t, lines, 13)
	for _, line := range lines {
		var p systolic.Product
		var want systolic.Cycles
		_, err := fmt.Sscan(line, &p.Flow, &p.Rows, &p.Cols, &p.M, &p.K, &p.N, &p.Input, &p.Filter, &p.Output, &p.Words,
			&want.Compute, &want.Stalls, &want.Total, &want.WithPrefetch, &want.InputReads, &want.FilterReads, &want.Writes)
		require.NoError(t, err, line)
		for _, size := range []*int{&p.Input, &p.Filter, &p.Output} {
			*size <<= 10
		}
		got, err := p.Count()
		require.NoError(t, err)
		require.Equal(t, want, got, line)
	}
}

// TestCompute: cells take what the formula says, with every scratchpad and width. Larger scratchpads and more words a
// cycle lead to no stalls.
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
		require.Zero(t, got.Stalls)
		require.Equal(t, flow.Cycles(8, 12, 50, 70, 90), got.Compute)
		require.Equal(t, got.Compute, got.Total)
		p.M, p.K, p.N = 1<<24, 1<<24, 1<<24
		_, err = p.Count()
		require.ErrorContains(t, err, "lines of demands, more than 268435456", "and no memory is taken for them")
	}
	_, err := systolic.Product{Flow: "rs", Rows: 1, Cols: 1, M: 1, K: 1, N: 1, Input: 1, Filter: 1, Output: 1, Words: 1}.Count()
	require.ErrorContains(t, err, `no dataflow "rs"`)
	_, err = systolic.Product{Flow: "os"}.Count()
	require.ErrorContains(t, err, "want numbers from 1")
}
