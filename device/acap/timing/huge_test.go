package timing

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestHuge counts the hops that random products of up to 2^31 elements along an extent are
// followed for: what a file may ask for must not take as long as it is large.
func TestHuge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	const most = 4_000_000
	worst := 0
	for range 1000 {
		m, w, g := hugeProduct(r)
		model, err := NewModel(m, w)
		if err != nil {
			continue // too large to count
		}
		e := estimate{Model: model, mapping: g, lines: new(line)}
		tiles, err := e.tiling()
		if err != nil {
			continue // no such kernels for the types
		}
		operands := tiles.operands()
		b := tiles.blocks(&operands)
		b.run()
		if worst = max(worst, b.events); b.events > most {
			t.Errorf("%s: %v of %d x %d x %d: %d hops", m.Name, g, w.Contraction.M, w.Contraction.K,
				w.Contraction.N, b.events)
		}
	}
	t.Logf("at most %d hops", worst)
}

func hugeProduct(r *rand.Rand) (*machine.Machine, *workload.Kernel, mapping.Mapping) {
	name := machine.Names()[r.IntN(5)]
	m, err := machine.Preset(name)
	if err != nil {
		panic(err)
	}
	style := slices.Sorted(maps.Keys(m.Compute.Styles))[r.IntN(len(m.Compute.Styles))]
	op := workload.Operand{DType: [...]dtype.DType{dtype.I8, dtype.BF16, dtype.I16}[r.IntN(3)]}
	acc := dtype.I32
	if op.DType == dtype.BF16 {
		acc = dtype.F32
	}
	extents := [3]int{1 + r.IntN(4096), 1 + r.IntN(4096), 1 + r.IntN(4096)}
	extents[r.IntN(3)] = 1<<31 - r.IntN(1<<20)
	w := &workload.Kernel{Name: "huge", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: extents[0], K: extents[1], N: extents[2],
			A: op, B: op, Acc: acc, Out: acc}}
	tile := func() int { return 16 << r.IntN(4) }
	return m, w, mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4, Cascade: 1,
		StageM: 1, StageN: 1, TM: tile(), TN: tile(), TK: tile(), Depth: 1 + r.IntN(2),
		OutDepth: 1 + r.IntN(2), Style: style}
}
