package event_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/workload"
)

// agrees compares random kernels on every array with package timing: the time, within a
// share, and the bytes exactly.
func agrees(t *testing.T, kernels int, within float64, kernel func(r *rand.Rand) *workload.Kernel) {
	t.Helper()
	kernels = longtest.Sample(1, kernels/4, kernels)
	r := rand.New(rand.NewPCG(7, 8))
	compared, worst := 0, 0.0
	for range kernels {
		w := kernel(r)
		for _, name := range []string{"npu1", "npu2", "vek280", "vck190", "vck5000"} {
			choice, p := mapped(t, machinetest.Preset(t, name), w)
			if w.Kind == workload.KindNormalize && choice.Mapping.TK == 0 {
				continue // whole rows fit
			}
			e := run(t, p, options(choice))
			compared++
			if read, write := choice.Timing.ReadL3, choice.Timing.WriteL3; read != e.ReadBytes ||
				write != e.WriteBytes {
				t.Errorf("%s on %s, %v: %d and %d bytes moved, timed are %d and %d", w.Name, name,
					choice.Mapping, e.ReadBytes, e.WriteBytes, read, write)
			}
			d := choice.Timing.Seconds/e.Seconds - 1
			worst = max(worst, math.Abs(d))
			if math.Abs(d) > within {
				t.Errorf("%s on %s, %v: events %.1f us, closed form %.1f us, %+.1f %%", w.Name, name,
					choice.Mapping, e.Seconds*1e6, choice.Timing.Seconds*1e6, 100*d)
			}
		}
	}
	if compared < 2*kernels {
		t.Errorf("only %d programs compared", compared)
	}
	t.Logf("%d programs, %.2f %% apart at most", compared, 100*worst)
}

// long is a row that fits no core of any array.
func long(r *rand.Rand) int { return 16384 + 8192*r.IntN(30) }

func float(r *rand.Rand) dtype.DType { return []dtype.DType{dtype.BF16, dtype.F32}[r.IntN(2)] }

// lines describes rows that are taken in pieces.
func lines(what string, rows, cols int, d dtype.DType) *workload.Kernel {
	return &workload.Kernel{Name: fmt.Sprintf("%s %d x %d %v", what, rows, cols, d),
		Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: rows, Cols: cols, DType: d,
			Passes: 1, In: []workload.Stream{{DType: d, Elements: int64(rows * cols)}},
			Out: []workload.Stream{{DType: d, Elements: int64(rows * cols)}}}}
}

// TestRowsInPieces compares norms and reductions of rows that do not fit a core.
func TestRowsInPieces(t *testing.T) {
	agrees(t, 12, 0.01, func(r *rand.Rand) *workload.Kernel {
		w := lines("rows", 1+r.IntN(64), long(r), float(r))
		n := &w.Normalize
		n.Passes, n.Ops = 1+r.IntN(3), workload.Mix{Simple: 3, Transcendental: float64(r.IntN(2))}
		switch r.IntN(3) {
		case 0:
			n.In = append(n.In, workload.Stream{DType: n.DType, Elements: int64(n.Cols),
				Late: r.IntN(2) == 0})
		case 1:
			n.Out[0].Elements = int64(n.Rows)
		}
		return w
	})
}

// sorts describes sorts of rows that are taken in pieces, with the places of their elements.
func sorts(rows, cols int, d dtype.DType) *workload.Kernel {
	w := lines("sort", rows, cols, d)
	n := &w.Normalize
	n.Split, n.Ops = workload.SplitMerges, workload.Mix{Serial: 1 + math.Log2(float64(n.Cols))}
	n.Out = append(n.Out, workload.Stream{DType: dtype.I64, Elements: n.Out[0].Elements})
	return w
}

// TestLongSorts compares sorts of lines that do not fit a core.
func TestLongSorts(t *testing.T) {
	agrees(t, 6, 0.01, func(r *rand.Rand) *workload.Kernel { return sorts(1+r.IntN(8), long(r), float(r)) })
}

// TestSortsShareMemory: a sort whose reads and writes keep the memory busy. The reads of a run are fewer bytes than the
// writes, as the lines come without the places of their elements, and get that much less of the memory in every round.
func TestSortsShareMemory(t *testing.T) {
	choice, p := mapped(t, machinetest.Preset(t, "vek280"), sorts(4, 122880, dtype.BF16))
	require.Equal(t, 12, choice.Mapping.Cores())
	e := run(t, p, options(choice))
	require.InEpsilon(t, e.Seconds, choice.Timing.Seconds, 0.003)
}

// TestLongScatters compares scatters into lines that do not fit a core.
func TestLongScatters(t *testing.T) {
	agrees(t, 6, 0.01, func(r *rand.Rand) *workload.Kernel {
		w := lines("scatter", 1+r.IntN(4), long(r), float(r))
		n := &w.Normalize
		updates := 1 + r.IntN(20000)
		n.Split, n.Ops = workload.SplitRanges, workload.Mix{Serial: 2}
		walk := func(length int) *workload.Walk {
			return &workload.Walk{Outer: []workload.Loop{{Size: n.Rows, Stride: length}},
				Inner: []workload.Loop{{Size: length, Stride: 1}}}
		}
		into, all := n.In[0], int64(n.Rows*updates)
		into.Walk = walk(n.Cols)
		n.In = []workload.Stream{{DType: n.DType, Elements: all, Walk: walk(updates)},
			{DType: dtype.I64, Elements: all, Walk: walk(updates)}, into}
		return w
	})
}

// TestAttention compares attention with and without masks, double buffers and cascades;
// all its rounds are alike.
func TestAttention(t *testing.T) {
	agrees(t, 10, 0.01, func(r *rand.Rand) *workload.Kernel {
		heads, queries, d := 1<<r.IntN(5), 64*(1+r.IntN(12)), 32<<r.IntN(3)
		a := workload.Attention{Batch: 1 + r.IntN(2), Heads: heads, KVHeads: heads, Sq: queries,
			Sk: queries * (1 + r.IntN(2)), D: d, DV: d << r.IntN(2), DType: float(r), Acc: dtype.F32}
		a.Causal = a.Sq == a.Sk && r.IntN(2) == 0
		if r.IntN(3) == 0 {
			a.Mask = &workload.Mask{DType: a.DType, Queries: []int{1, queries}[r.IntN(2)]}
		}
		return &workload.Kernel{Kind: workload.KindAttention, Attention: a,
			Name: fmt.Sprintf("attention %+v", a)}
	})
}
