package convert

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// dividedLayers is [enginetest.DividedLayers].
func dividedLayers(t *testing.T) *mlir.Operation {
	m, err := mlir.Parse("test.mlir", []byte(enginetest.DividedLayers()))
	require.NoError(t, err)
	return m.Funcs()[0]
}

// TestDividedLayers: such a function is divided.
func TestDividedLayers(t *testing.T) {
	f := dividedLayers(t)
	g := newConverter(f, sync.OnceValue(func() map[*mlir.Value]int { return liveUses(f) }), 0)
	g.arguments(f.Body().Args)
	places := cuts(f.Body(), 3)
	require.Greater(t, len(places), 4)
	require.True(t, g.convertPieces(f, places))
	require.NoError(t, g.err)
}

// The last use of what an operation makes is the last operation that has it among its operands or captures it,
// however the function is divided.
func TestLastUses(t *testing.T) {
	block := dividedLayers(t).Body()
	want := make([]int, len(block.Ops))
	for i, op := range block.Ops {
		for _, v := range op.Captured() {
			if k := slices.Index(block.Ops, v.Def); k >= 0 {
				want[k] = i
			}
		}
	}
	for _, n := range []int{1, 2, 7, 1 << 20} {
		require.Equal(t, want, lastUses(block, n), n)
	}
}
