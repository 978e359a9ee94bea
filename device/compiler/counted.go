package compiler

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// countLoops makes a loop over numbers of every loop with a condition that depends on nothing but constants and what
// turns make of them, such as a counter: its condition is then computed once, here, and how often its body runs is
// known.
func countLoops(root *mlir.Operation) {
	root.Walk(func(op *mlir.Operation) {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				countIn(b)
			}
		}
	})
}

// countIn makes scf.for of the scf.while loops of a block that count.
func countIn(b *mlir.Block) {
	if !slices.ContainsFunc(b.Ops, func(op *mlir.Operation) bool { return op.Name == "scf.while" }) {
		return
	}
	all := b.Ops
	b.Ops = nil
	for _, op := range all {
		if turns, known := turnsOf(op); known {
			at := &mlir.Builder{Block: b, Loc: op.Loc}
			bounds := []*mlir.Value{arith.Index(at, 0), arith.Index(at, turns), arith.Index(at, 1)}
			body := op.Regions[1].Blocks[0]
			body.Args = append([]*mlir.Value{{Type: mlir.Index, Owner: body}}, body.Args...)
			for i, a := range body.Args {
				a.Index = i
			}
			op.Name, op.Operands, op.Regions = "scf.for", append(bounds, op.Operands...), op.Regions[1:]
		}
		b.Append(op)
	}
}

// mostTurns bounds the turns that are counted.
const mostTurns = 1 << 14

// turnsOf returns the turns of a loop whose condition passes on what it is given; false if it is another, or nobody
// knows.
func turnsOf(op *mlir.Operation) (turns int, known bool) {
	if op.Name != "scf.while" || len(op.Regions[0].Blocks) != 1 || len(op.Regions[1].Blocks) != 1 {
		return 0, false
	}
	before, after := op.Regions[0].Blocks[0], op.Regions[1].Blocks[0]
	condition, next := before.Terminator().Operands[0], after.Terminator().Operands
	if !slices.Equal(before.Terminator().Operands[1:], before.Args) ||
		slices.ContainsFunc(before.Ops[:len(before.Ops)-1], func(o *mlir.Operation) bool { return !o.IsPure() }) {
		return 0, false
	}
	t := turn{before: before, after: after, start: op.Operands, constants: make(map[*mlir.Value]*buf.Buffer)}
	for turns = 0; turns <= mostTurns; turns++ {
		t.env = make(map[*mlir.Value]*buf.Buffer)
		value := t.value(condition)
		if value == nil {
			return 0, false
		}
		if value.Int64(0) == 0 {
			return turns, true
		}
		made := make(map[int]*buf.Buffer)
		for i := 0; i < len(t.asked); i++ { // which asks for more in the first turn
			at := t.asked[i]
			if made[at] = t.value(next[at]); made[at] == nil {
				return 0, false
			}
		}
		t.start, t.carried = nil, made
	}
	return 0, false
}

// turn is a turn of a loop; it computes the values that somebody asks for, and no others.
type turn struct {
	before, after *mlir.Block
	start         []*mlir.Value       // operands of the first turn; nil for later turns
	carried       map[int]*buf.Buffer // what another is, by places
	asked         []int               // places of what the condition depends on
	env           map[*mlir.Value]*buf.Buffer
	constants     map[*mlir.Value]*buf.Buffer
}

// value returns a number of the turn, nil if it is none or depends on what is not known.
func (t *turn) value(v *mlir.Value) *buf.Buffer {
	if t, ok := v.Type.(mlir.TensorType); ok {
		if n, known := mlir.NumElements(t.Shape); !known || n != 1 {
			return nil
		}
	}
	if known := t.env[v]; known != nil {
		return known
	}
	switch {
	case v.Owner == t.after:
		t.env[v] = t.value(t.before.Args[v.Index])
	case v.Owner == t.before:
		if !slices.Contains(t.asked, v.Index) {
			t.asked = append(t.asked, v.Index)
		}
		if t.env[v] = t.carried[v.Index]; t.start != nil {
			t.env[v] = t.constant(t.start[v.Index])
		}
	case v.Def != nil && (v.Def.Block == t.before || v.Def.Block == t.after):
		used := make(map[*mlir.Value]*buf.Buffer)
		for _, u := range v.Def.Captured() {
			if used[u] = t.value(u); used[u] == nil {
				return nil
			}
		}
		if values, err := reference.Operation(v.Def, used); err == nil {
			t.env[v] = values[v.Index]
		}
	default:
		t.env[v] = t.constant(v)
	}
	return t.env[v]
}

// constant returns the value of a constant, nil if it is none.
func (t *turn) constant(v *mlir.Value) *buf.Buffer {
	if v.Def == nil || v.Def.Name != "arith.constant" {
		return nil
	}
	if t.constants[v] == nil {
		if values, err := reference.Operation(v.Def, make(map[*mlir.Value]*buf.Buffer)); err == nil {
			t.constants[v] = values[0]
		}
	}
	return t.constants[v]
}
