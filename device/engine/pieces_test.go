package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
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
}

// Random functions give the same bits however they are divided: views, slices that are written in place and
// padded operands cross from piece to piece, or keep a function from being divided.
func TestPiecesOfRandomFunctions(t *testing.T) {
	for seed := range 60 {
		g := &grower{net: newNet()}
		g.r = rand.New(rand.NewPCG(uint64(seed), 11))
		for range 2 {
			g.values = append(g.values, g.input(enginetest.Split(g.r, 24)...))
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
