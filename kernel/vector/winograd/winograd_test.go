package winograd

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
)

// processor has the facts that units depend on.
type processor struct {
	vector.Backend
	bytes, registers int
	permutes         bool
}

func (p processor) VectorBytes() int                             { return p.bytes }
func (p processor) Registers() int                               { return p.registers }
func (p processor) Fixed() bool                                  { return false }
func (p processor) Has(vector.Op, vector.Kind, vector.Kind) bool { return p.permutes }

// TestUnits: blocks and channels cover the result, and transformed inputs are shared where the transformed filters take
// more than half of a second-level cache.
func TestUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		c := &kernel.Convolution{N: 1 + r.IntN(9), C: 1 + r.IntN(600), K: 1 + r.IntN(600), P: 1 + r.IntN(63), Q: 1 + r.IntN(63)}
		l2 := 256 << (10 + r.IntN(5))
		p := []processor{{bytes: 32, registers: 16}, {bytes: 64, registers: 32, permutes: true}, {bytes: 16, registers: 32}}[r.IntN(3)]
		u := chooseUnits(c, p, l2)
		require.Equal(t, places*f32*c.C*c.K > l2/2, u.shared, "%+v", u)
		require.GreaterOrEqual(t, u.channels*u.channelUnits, c.K, "%+v", u)
		require.Equal(t, u.tileRows, u.firstRow(u.blocks-1)+u.blockRows, "%+v", u)
		for i := range u.blocks - 1 {
			require.LessOrEqual(t, u.firstRow(i+1), u.firstRow(i)+u.blockRows, "%+v", u)
		}
		require.LessOrEqual(t, (u.tileHeight+1)*panelVecs+spares, p.registers, "%+v", u)
	}
}

// TestWins: the algorithm is taken for the convolutions, with a border of one pixel, for which it took less time than a
// direct convolution on Zen 4, and for no other ones.
func TestWins(t *testing.T) {
	avx2, avx512 := processor{bytes: 32, registers: 16}, processor{bytes: 64, registers: 32, permutes: true}
	for _, v := range []struct {
		processor
		c, k, size int
		wins       bool
	}{
		{avx2, 16, 16, 56, true}, {avx2, 16, 64, 28, true}, {avx2, 48, 48, 14, true}, {avx2, 64, 64, 7, true},
		{avx2, 512, 512, 7, true}, {avx2, 64, 64, 6, true}, {avx2, 64, 64, 112, true}, {avx2, 20, 20, 14, true},
		{avx2, 32, 32, 5, false}, {avx2, 64, 64, 5, false}, {avx2, 128, 128, 5, false}, {avx2, 128, 128, 4, false},
		{avx512, 16, 32, 56, true}, {avx512, 16, 64, 28, true}, {avx512, 24, 24, 28, true}, {avx512, 64, 64, 6, true},
		{avx512, 36, 36, 20, true}, {avx512, 40, 50, 7, true}, {avx512, 48, 48, 14, true},
		{avx512, 16, 16, 56, false}, {avx512, 32, 32, 5, false}, {avx512, 128, 128, 5, false}, {avx512, 128, 128, 4, false},
	} {
		c := kerneltest.Layer(v.c, v.k, v.size, 3, 1, 1, 1)
		u := chooseUnits(c, v.processor, 1<<20)
		require.Equal(t, v.wins, fits(c) && wins(c, &u), "%s of %d lanes", c, u.lanes)
	}
}

// TestReachesBack: results are computed twice only where the epilogue reads nothing that differs between pixels, which
// may be what it has written.
func TestReachesBack(t *testing.T) {
	u := units{lanes: 8}
	c := &kernel.Convolution{Q: 12}
	c.Epilogue.Access = []kernel.Access{{Outer: []int{0, 1, 0, 0}}, {Outer: []int{0, 144, 12, 1}}}
	c.Epilogue.Body = kernel.Body{{Op: kernel.Input}, {Op: kernel.Load, Port: 2}, {Op: kernel.Store, Port: 3}}
	require.True(t, u.reachesBack(c))
	require.Equal(t, []outputTile{{8, 8}}, u.results(&kernel.Convolution{K: 16, Q: 12, Epilogue: c.Epilogue}))
	c.Epilogue.Body[1].Port = 3
	require.False(t, u.reachesBack(c))
	require.Equal(t, []outputTile{{8, 8}, {8, 4}}, u.results(&kernel.Convolution{K: 16, Q: 12, Epilogue: c.Epilogue}))
}
