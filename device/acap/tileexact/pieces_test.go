package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// walkedInPieces walks a kernel whose rows no core can hold, integers from 0 to most.
func walkedInPieces(t *testing.T, m *machine.Machine, k kernel.Kernel, r *rand.Rand, most int) {
	t.Helper()
	c := &tileexact.Checker{Machine: m, Native: native.Compile}
	code, err := c.Backend(k)
	require.NoError(t, err)
	defer code.Close()
	call(t, code, k, r, func() int64 { return r.Int64N(int64(most) + 1) })
	v := c.Kernels[0]
	require.Empty(t, v.Skipped, v.Kernel)
	require.NoError(t, v.Err, "%s: %s", v.Kernel, v.Mapping)
	require.Contains(t, v.Mapping, " x", "%s is not taken in pieces", v.Kernel)
	require.Positive(t, v.Elements)
}

// TestRowsInPieces walks sums, softmax with a weight, and places of maxima over rows
// that no core can hold.
func TestRowsInPieces(t *testing.T) { on(t, walkRowsInPieces) }

func walkRowsInPieces(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(31, 1))
	for _, d := range longtest.Some(2, dtype.F32, dtype.I32, dtype.BF16) {
		for _, rows := range longtest.Some(1, 2, 1, 3) {
			cols := 40000 + r.IntN(3000)
			walkedInPieces(t, m, extremes(rows, cols, d), r, 9)
			if d.IsFloat() {
				walkedInPieces(t, m, softmax(rows, cols, d), r, 0)
			}
		}
	}
}

func along(rows, cols int, t dtype.DType, write bool) kernel.Access {
	return kernel.Access{Port: port(t, rows*cols, write), Outer: []int{cols}, Inner: []int{1}}
}

func perRow(rows int, t dtype.DType, write bool) kernel.Access {
	return kernel.Access{Port: port(t, rows, write), Outer: []int{1}, Inner: []int{0}}
}

// extremes gives the sum of a row and the place of its greatest element less a value
// of the row.
func extremes(rows, cols int, d dtype.DType) *kernel.Nest {
	b := kernel.NewBody()
	x := b.Emit(kernel.Instr{Op: kernel.Sub, Type: d, A: b.Load(0, d), B: b.Load(1, d)})
	i := b.Emit(kernel.Instr{Op: kernel.Index, Type: dtype.I64, Port: 1})
	end := kernel.NewBody()
	end.Store(2, end.Emit(kernel.Instr{Op: kernel.Acc, Type: d}))
	end.Store(3, end.Emit(kernel.Instr{Op: kernel.Acc, Type: dtype.I64, Imm: 1}))
	return &kernel.Nest{Name: fmt.Sprintf("extremes %d x %d %v", rows, cols, d), Outer: []int{rows},
		Inner: []int{cols}, Access: []kernel.Access{along(rows, cols, d, false), perRow(rows, d, false),
			perRow(rows, d, true), perRow(rows, dtype.I64, true)},
		Stages: []kernel.Stage{{Body: b.Body(), Reduce: []kernel.Reduction{
			{Kind: kernel.ReduceSum, Value: x, Type: d},
			{Kind: kernel.ReduceArgMax, Value: x, Arg: i, Type: dtype.I64}}},
			{Once: true, Body: end.Body()}}}
}

// softmax multiplies the softmax of a row by a weight for every column.
func softmax(rows, cols int, d dtype.DType) *kernel.Nest {
	greatest := kernel.NewBody()
	x := greatest.Load(0, d)
	sum := kernel.NewBody()
	top := sum.Emit(kernel.Instr{Op: kernel.Acc, Type: d})
	e := sum.Emit(kernel.Instr{Op: kernel.Exp, Type: d,
		A: sum.Emit(kernel.Instr{Op: kernel.Sub, Type: d, A: sum.Load(0, d), B: top})})
	scale := kernel.NewBody()
	s := scale.Emit(kernel.Instr{Op: kernel.Div, Type: d,
		A: scale.Emit(kernel.Instr{Op: kernel.Kept, Type: d, Port: 1}),
		B: scale.Emit(kernel.Instr{Op: kernel.Acc, Type: d, Port: 1})})
	scale.Store(2, scale.Emit(kernel.Instr{Op: kernel.Mul, Type: d, A: s, B: scale.Load(1, d)}))
	lowest := map[dtype.DType]uint64{dtype.F32: 0xff800000, dtype.BF16: 0xff80}[d]
	return &kernel.Nest{Name: fmt.Sprintf("softmax %d x %d %v", rows, cols, d), Outer: []int{rows},
		Inner: []int{cols}, Access: []kernel.Access{along(rows, cols, d, false),
			{Port: port(d, cols, false), Outer: []int{0}, Inner: []int{1}}, along(rows, cols, d, true)},
		Stages: []kernel.Stage{
			{Body: greatest.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Value: x, Type: d,
				Init: lowest}}},
			{Body: sum.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Value: e, Type: d}},
				Keep: []int{e}},
			{Body: scale.Body()}}}
}

// TestScansInPieces walks scans of lines that no core can hold, along rows and columns.
func TestScansInPieces(t *testing.T) { on(t, walkScansInPieces) }

func walkScansInPieces(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(31, 2))
	for _, d := range []dtype.DType{dtype.F32, dtype.I64} {
		for _, fold := range []kernel.FoldKind{kernel.FoldAdd, kernel.FoldMax} {
			lines := kernel.Lines{Outer: 1 + r.IntN(2), N: 20000 + r.IntN(2000), Inner: 1 + r.IntN(2)}
			walkedInPieces(t, m, &kernel.Scan{Name: fmt.Sprintf("scan %v %v %v", lines, d, fold),
				Lines: lines, Fold: fold, X: port(d, lines.Elements(), false),
				Out: port(d, lines.Elements(), true)}, r, 9)
			if fold != kernel.FoldMax {
				continue
			}
			walkedInPieces(t, m, &kernel.Scan{Name: fmt.Sprintf("positions %v %v", lines, d),
				Lines: lines, Fold: fold, Positions: true, X: port(d, lines.Elements(), false),
				Out: port(dtype.I64, lines.Elements(), true)}, r, 9)
		}
	}
}

// TestSortsInPieces walks sorts of lines that no core can hold: of few values, so that
// the order of equal ones shows, and of floats.
func TestSortsInPieces(t *testing.T) { on(t, walkSortsInPieces) }

func walkSortsInPieces(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(31, 3))
	for i, d := range []dtype.DType{dtype.I16, dtype.F32} {
		for _, descending := range longtest.Some(1, i > 0, i == 0) {
			lines := kernel.Lines{Outer: 1 + r.IntN(2), N: 17000 + r.IntN(9000), Inner: 1 + r.IntN(2)}
			first := r.IntN(100)
			count := 1 + r.IntN(lines.N-first)
			picked := lines.With(count).Elements()
			walkedInPieces(t, m, &kernel.Sort{Name: fmt.Sprintf("sort %v %v", lines, d), Lines: lines,
				First: first, Count: count, Descending: descending, X: port(d, lines.Elements(), false),
				Values: port(d, picked, true), Positions: port(dtype.I64, picked, true)}, r, 99)
		}
	}
}

// TestScattersInPieces walks scatters into lines that no core can hold, with places that
// come again, and one place for all updates of a line.
func TestScattersInPieces(t *testing.T) { on(t, walkScattersInPieces) }

func walkScattersInPieces(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(31, 4))
	for i := range 6 {
		d := []dtype.DType{dtype.I32, dtype.F32}[i%2]
		axis := r.IntN(2)
		into, updates := []int{3, 3}, []int{2, 3}
		into[axis], updates[axis] = 20000+r.IntN(2000), 3000+r.IntN(5000)
		index := slices.Clone(updates)
		if i > 3 {
			index[axis] = 1
		}
		k := &kernel.Scatter{Name: fmt.Sprintf("scatter %v at %v into %v %v", updates, index, into, d),
			Fold: []kernel.FoldKind{kernel.FoldAdd, kernel.FoldAssign}[r.IntN(2)], Axis: axis,
			Extents: updates, IndexExtents: index, IntoExtents: into,
			Updates: port(d, updates[0]*updates[1], false), Index: port(dtype.I64, index[0]*index[1], false),
			Into: port(d, into[0]*into[1], false), Result: port(d, into[0]*into[1], true)}
		walkedInPieces(t, m, k, r, into[axis]-1)
	}
}
