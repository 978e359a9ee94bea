package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// inPieces compiles with pieces of about n operations.
func inPieces(t *testing.T, f *mlir.Operation, n int, opts Options) *Program {
	defer func(n int) { pieceOps = n }(pieceOps)
	pieceOps = n
	p, err := Compile(f, opts)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// A chain of layers has the same kernels however it is divided, and it is divided.
func TestPiecesOfLayers(t *testing.T) {
	g, last := layers(12)
	f := g.done(last)
	opts := Options{ConstInputs: g.consts}
	want := inPieces(t, f, 1<<20, opts).KernelText()
	for _, n := range []int{2, 5, 16} {
		require.Equal(t, want, inPieces(t, f, n, opts).KernelText(), n)
	}
	defer func(n int) { pieceOps = n }(pieceOps)
	pieceOps = 5
	require.Greater(t, len(cuts(f.Body())), 4)
}

// The last use of what an operation makes is the last operation that has it among its operands or captures it,
// however the function is divided.
func TestLastUses(t *testing.T) {
	g, last := layers(3)
	block := g.done(last).Body()
	want := make([]int, len(block.Ops))
	for i, op := range block.Ops {
		for _, v := range op.Captured() {
			if k := slices.Index(block.Ops, v.Def); k >= 0 {
				want[k] = i
			}
		}
	}
	defer func(n int) { pieceOps = n }(pieceOps)
	for _, pieceOps = range []int{1, 2, 7, 1 << 20} {
		require.Equal(t, want, lastUses(block), pieceOps)
	}
}

// Random functions give the same bits however they are divided: views, slices that are written in place and
// padded operands cross from piece to piece, or keep a function from being divided.
func TestPiecesOfRandomFunctions(t *testing.T) {
	for seed := range 60 {
		g := &grower{net: newNet()}
		g.r = rand.New(rand.NewPCG(uint64(seed), 11))
		for range 2 {
			g.values = append(g.values, g.input(split(g.r, 24)...))
		}
		for range 24 {
			if v := g.step(); shape.Size(v.Shape()) < 2000 {
				g.values = append(g.values, v)
			}
		}
		f := g.done(g.values[len(g.values)-1], g.pick())
		one := inPieces(t, f, 1<<20, Options{})
		want := run(t, one, g.inputs...)
		for _, n := range []int{2, 3, 10} {
			p := inPieces(t, f, n, Options{})
			got := run(t, p, g.inputs...)
			for i := range want {
				require.Equal(t, want[i].Bytes(), got[i].Bytes(), fmt.Sprint(seed, " ", n, f))
			}
		}
	}
}
