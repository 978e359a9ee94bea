package tosa

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

// controls are the operations with regions. Their blocks move; the operations in them are
// visited afterwards.
var controls = map[string]func(l *lowering){}

func init() {
	controls["cond_if"], controls["while_loop"], controls["yield"] = choose, repeat, yield
}

// yield keeps the name of what the operation around it became.
func yield(l *lowering) {
	if p := l.op.Parent(); p == nil || p.Name != "scf.if" && p.Name != "scf.while" {
		l.fail("is in no choice and no loop")
	}
	l.Create("scf.yield", l.op.Operands, nil, nil)
	l.r.Erase()
}

func (l *lowering) move(op *mlir.Operation) {
	for _, r := range l.op.Regions {
		to := op.AddRegion()
		to.Blocks = r.Blocks
		for _, b := range to.Blocks {
			b.Region = to
		}
		r.Blocks = nil
	}
}

func choose(l *lowering) {
	for _, r := range l.op.Regions {
		if len(r.Blocks) != 1 || len(r.Blocks[0].Args) != len(l.op.Operands)-1 {
			l.fail("needs regions of one block")
		}
		for i, a := range r.Blocks[0].Args {
			l.r.Substitute(a, l.op.Operands[1+i])
		}
		r.Blocks[0].Args = nil
	}
	condition := onlyElement(l.Builder, l.in(0))
	op := mlir.NewOp("scf.if", []*mlir.Value{condition}, mlir.TypesOf(l.op.Results), nil)
	l.move(op)
	l.visited(op)
}

// visited puts an operation in the place of the one that is lowered, and lowers its regions.
func (l *lowering) visited(op *mlir.Operation) {
	op.Loc = l.op.Loc
	l.Insert(op)
	l.r.Replace(op.Results...)
	if err := Lower(op); err != nil {
		panic(err)
	}
}

// onlyElement is the element of a tensor of one, whose rank TOSA 1.0 leaves open.
func onlyElement(b *mlir.Builder, v *mlir.Value) *mlir.Value {
	at := make([]*mlir.Value, len(v.Type.(mlir.TensorType).Shape))
	for i := range at {
		at[i] = arith.Index(b, 0)
	}
	return tensordialect.Extract(b, v, at...)
}

func repeat(l *lowering) {
	op := mlir.NewOp("scf.while", l.op.Operands, mlir.TypesOf(l.op.Results), nil)
	l.move(op)
	first := op.Regions[0].Blocks[0]
	end := first.Terminator()
	if end == nil || len(end.Operands) != 1 {
		l.fail("needs a condition")
	}
	first.Ops = first.Ops[:len(first.Ops)-1]
	b := &mlir.Builder{Block: first, Loc: end.Loc}
	condition := onlyElement(b, end.Operands[0])
	b.Create("scf.condition", append([]*mlir.Value{condition}, first.Args...), nil, nil)
	l.visited(op)
}
