package systolic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/systolic"
)

// layers are runs of SCALE-Sim 3 (November 2025): scratchpads in KiB, words a cycle, the sizes of an image and of a
// filter, its channels, the number of filters and the stride, and what SCALE-Sim says. In the last three windows reach
// beyond the image.
const layers = `
flow rows cols input filter output words height width filterheight filterwidth channels filters stride compute stalls total prefetch inputs filterreads writes
is 8 8 1 1 1 4 12 12 3 3 8 16 1 4445 3125 7570 7803 28672 24064 14403
ws 8 8 1 1 1 4 12 12 3 3 8 16 1 2195 3164 5359 5633 21504 3584 14411
os 8 8 1 1 1 4 12 12 3 3 8 16 1 2235 10321 12556 12700 50176 28672 1603
is 16 8 1 2 1 8 15 13 5 3 6 20 2 1739 2136 3875 4031 29184 12288 4327
ws 16 8 1 2 1 8 15 13 5 3 6 20 2 1331 1960 3291 3447 26112 2048 4327
os 16 8 1 2 1 8 15 13 5 3 6 20 2 1007 1858 2865 3019 22528 5120 727
is 8 16 2 2 2 10 20 18 3 3 12 24 2 4535 29179 33714 33868 326510 28840 30240
ws 8 16 2 2 2 10 20 18 3 3 12 24 2 3359 188 3547 3693 18540 13390 30285
os 8 16 2 2 2 10 20 18 3 3 12 24 2 3119 3040 6159 6272 18540 60770 2160
is 32 32 64 64 64 10 7 7 3 3 192 384 1 25811 172810 198621 204586 65540 1998970 518431
os 32 32 64 64 64 10 7 7 3 3 192 384 1 21479 46188 67667 71903 393240 688170 9600
ws 32 32 64 64 64 10 7 7 3 3 192 384 1 77111 1713754 1790865 1796828 393240 17925190 518400
is 12 12 1 1 1 4 14 14 1 1 24 30 2 767 1796 2563 2755 3584 10240 3843
is 8 8 1 1 1 4 11 14 4 2 5 9 3 464 0 464 689 1024 360 903
ws 8 8 1 1 1 4 11 14 4 2 5 9 3 419 322 741 966 3072 512 903
os 8 8 1 1 1 4 11 14 4 2 5 9 3 323 490 813 985 3072 512 180
`

// TestLayers: convolutions take what SCALE-Sim says.
func TestLayers(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(layers), "\n")[1:] {
		var p systolic.Product
		g := &systolic.Image{Number: 1, DilationH: 1, DilationW: 1}
		var want systolic.Cycles
		_, err := fmt.Sscan(line, &p.Flow, &p.Rows, &p.Cols, &p.Input, &p.Filter, &p.Output, &p.Words,
			&g.Height, &g.Width, &g.FilterHeight, &g.FilterWidth, &g.Channels, &p.N, &g.StrideH,
			&want.Compute, &want.Stalls, &want.Total, &want.WithPrefetch, &want.InputReads, &want.FilterReads, &want.Writes)
		require.NoError(t, err, line)
		for _, size := range []*int{&p.Input, &p.Filter, &p.Output} {
			*size <<= 10
		}
		g.StrideW = g.StrideH
		g.OutHeight, g.OutWidth = (g.Height-g.FilterHeight+2*g.StrideH-1)/g.StrideH, (g.Width-g.FilterWidth+2*g.StrideW-1)/g.StrideW
		p.Image, p.M, p.K = g, g.OutHeight*g.OutWidth, g.FilterHeight*g.FilterWidth*g.Channels
		got, err := p.Count()
		require.NoError(t, err)
		require.Equal(t, want, got, line)
	}
}

// TestImage: an image of another product is refused; windows that share nothing take what the product takes.
func TestImage(t *testing.T) {
	p := systolic.Product{Flow: "is", Rows: 8, Cols: 8, M: 36, K: 40, N: 20, Input: 512, Filter: 700, Output: 300, Words: 3}
	product, err := p.Count()
	require.NoError(t, err)
	p.Image = &systolic.Image{Number: 1, Height: 12, Width: 12, Channels: 10, OutHeight: 6, OutWidth: 6, FilterHeight: 2, FilterWidth: 2,
		StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1}
	got, err := p.Count()
	require.NoError(t, err)
	require.Equal(t, product, got)
	p.Image.StrideH = 1
	_, err = p.Count()
	require.NoError(t, err, "more of the image remains")
	p.Image.OutWidth = 7
	_, err = p.Count()
	require.ErrorContains(t, err, "42 windows, and the product 36 rows")
	p.Image.OutWidth, p.Image.Channels = 6, 9
	_, err = p.Count()
	require.ErrorContains(t, err, "36 elements, and a row of the product 40")
}
