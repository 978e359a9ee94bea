package product

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Dots are the sums of several products that a processor has instructions for.
type Dots struct {
	Same  bool // of four products of bytes that both have signs, or both have none
	Mixed bool // of bytes of which those of one operand have signs
	// Of two rows by two columns, each of eight products of bytes of any sign, or of four of bf16.
	ByteSquares, BrainSquares bool
}

// newTile chooses the tile for element types and a depth, how many products one step of its sums adds, and the type of
// the elements of panels, 0 for that of each operand.
func newTile(a, b, acc dtype.DType, depth int, dots Dots) (t *tile, group int, panel dtype.DType, err error) {
	if t, group = squares(a, b, acc, depth, dots); t != nil {
		return t, group, 0, nil
	}
	signed := func(d dtype.DType) bool { return d == dtype.I8 }
	switch {
	case acc == dtype.F32 && a != dtype.F64 && b != dtype.F64 && a != dtype.I64 && b != dtype.I64:
		return &tile{kind: vector.F32, op: vector.LaneMul, element: 4, rows: 8, cols: 12}, 1, dtype.F32, nil
	case acc == dtype.F64:
		return &tile{kind: vector.F64, op: vector.LaneMul, element: 8, rows: 6, cols: 8}, 1, dtype.F64, nil
	case acc == dtype.I64 && !a.IsFloat() && !b.IsFloat():
		return &tile{kind: vector.I64, op: vector.LaneMul, element: 8, rows: 4, cols: 4}, 1, dtype.I64, nil
	case acc == dtype.I32 && isByte(a) && isByte(b) && signed(a) == signed(b) && dots.Same:
		op := vector.DotLane
		if !signed(a) {
			op = vector.DotLaneUnsigned
		}
		return &tile{kind: vector.I32, op: op, element: 4, rows: 8, cols: 12}, 4, a, nil
	case acc == dtype.I32 && isByte(a) && isByte(b) && signed(a) != signed(b) && dots.Mixed:
		op := vector.DotLaneMixed // the vector is of B
		if signed(b) {
			op = vector.DotLaneSwapped
		}
		return &tile{kind: vector.I32, op: op, element: 4, rows: 8, cols: 12}, 4, 0, nil
	case acc == dtype.I32 && !a.IsFloat() && !b.IsFloat():
		return &tile{kind: vector.I32, op: vector.LaneMul, element: 4, rows: 8, cols: 12}, 1, dtype.I32, nil
	}
	return nil, 0, 0, kernel.ErrUnsupported
}

// squares is newTile for sums of two rows by two columns, nil where those are not better.
func squares(a, b, acc dtype.DType, depth int, dots Dots) (t *tile, group int) {
	t = &tile{kind: vector.I32, square: true, element: 8, rows: 8, cols: 12}
	switch {
	case dots.BrainSquares && acc == dtype.F32 && a == dtype.BF16 && b == dtype.BF16 && depth > 1:
		t.kind, t.op = vector.F32, vector.MatBrain
		return t, 4
	case !dots.ByteSquares || acc != dtype.I32 || !isByte(a) || !isByte(b) || depth <= 4:
		return nil, 0
	case a == b && a == dtype.I8:
		t.op = vector.MatSigned
	case a == b:
		t.op = vector.MatUnsigned
	default: // the first operand is that without sign
		t.op, t.across = vector.MatMixed, b == dtype.U8
	}
	return t, 8
}

func isByte(d dtype.DType) bool { return d == dtype.I8 || d == dtype.U8 }

// asNest is a contraction as a loop nest: for each result a sum that reads the operands in place, and the epilogue.
func asNest(c *kernel.Contraction) *kernel.Nest {
	n := &kernel.Nest{Name: c.Name, Outer: append(append([]int(nil), c.Batch...), c.M, c.N), Inner: []int{c.K}}
	matrix := func(m *kernel.Matrix, row, col, deep int) kernel.Access {
		return kernel.Access{Port: m.Port, Offset: m.Offset, Outer: append(append([]int(nil), m.Batch...), row, col), Inner: []int{deep}}
	}
	n.Access = append(n.Access, matrix(&c.A, c.A.Row, 0, c.A.Col), matrix(&c.B, 0, c.B.Col, c.B.Row))
	for _, a := range c.Epilogue.Access {
		a.Inner = []int{0}
		n.Access = append(n.Access, a)
	}
	b := kernel.NewBody()
	x, y := b.Cast(c.Acc, b.Load(0, c.A.DType)), b.Cast(c.Acc, b.Load(1, c.B.DType))
	p := b.Binary(kernel.Mul, x, y)
	body := append(kernel.Body(nil), c.Epilogue.Body...)
	for i := range body {
		if body[i].Op == kernel.Input {
			body[i] = kernel.Instr{Op: kernel.Acc, Type: c.Acc}
		}
	}
	n.Stages = []kernel.Stage{{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Value: p, Type: c.Acc}}},
		{Once: true, Body: body}}
	return n
}

// readOnce reports whether an operand would be copied into panels for hardly any use.
func readOnce(c *kernel.Contraction) bool {
	const few = 3
	return c.M <= few && !c.B.Const || c.N <= few || c.M*c.N*c.K < 512
}
