package acap

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.search", Traits: mlir.Pure, Operands: 2, Results: 1,
	Verify: verifySearch, Parse: parseSearch, Print: printSearch})

func init() { Kernels["acap.search"] = Kernel{"search", searchKernel} }

// Search appends the places (i64) that values have in the sorted lines of a sequence, along the last dimension. right
// says that an equal element comes before a value. A sequence of one dimension serves all values; other sequences have
// the dimensions of the values but for the last.
func Search(b *mlir.Builder, values, sequence *mlir.Value, right, unsigned bool) *mlir.Value {
	t, _ := values.Type.(mlir.TensorType)
	return b.Create("acap.search", []*mlir.Value{values, sequence}, []mlir.Type{positionsOf(t)}, searching(right, unsigned)).Result()
}

// searching are the attributes of a search, in alphabetical order.
func searching(right, unsigned bool) mlir.Attrs {
	return flag(flag(nil, "right", right), "unsigned", unsigned)
}

// Right reports whether an equal element comes before a value of a search.
func Right(op *mlir.Operation) bool { return op.Attrs.Get("right") != nil }

// parseSearch reads %x in %sequence right unsigned : T, U.
func parseSearch(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	p.Expect("in")
	refs = append(refs, p.Operand())
	right := p.Accept("right")
	op.Attrs = searching(right, p.Accept("unsigned"))
	p.Expect(":")
	types := []mlir.Type{p.Type()}
	p.Expect(",")
	types = append(types, p.Type())
	op.Operands = p.ResolveAll(refs, types)
	t, ok := types[0].(mlir.TensorType)
	if !ok && !p.Failed() {
		p.ErrorAt(op.Loc, "acap.search looks for tensors, not %s", types[0])
	}
	op.SetResults(positionsOf(t))
}

func printSearch(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" in ")
	p.Value(op.Operands[1])
	printFlag(p, op, "right")
	printFlag(p, op, "unsigned")
	p.Text(" : ")
	p.TypesOf(op.Operands)
}

func verifySearch(op *mlir.Operation) error {
	x, err := static("the values", op.Operands[0])
	s, err2 := static("the sequence", op.Operands[1])
	if err = firstOf(err, err2, attributes(op, nil, "right", "unsigned"), wantType("the result", op.Results[0], positionsOf(x))); err != nil {
		return err
	}
	d, last := mlir.DTypeOf(x.Elem), len(s.Shape)-1
	switch {
	case !mlir.SameType(x.Elem, s.Elem) || d.IsFloat() && d.Size() < 4:
		return fmt.Errorf("values %s and sequence %s must have one element type, and no half type", x, s)
	case last < 0 || last > 0 && (len(x.Shape) != last+1 || !shape.Equal(x.Shape[:last], s.Shape[:last])):
		return fmt.Errorf("the sequence %s must have one dimension, or the dimensions of the values %s but for the last", s, x)
	}
	return nil
}

func searchKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	k := &kernel.Search{Name: name, Outer: 1, M: shape.Size(extents(op.Operands[0])), Right: Right(op), Unsigned: Unsigned(op),
		Values: p[0], Sequence: p[1], Out: p[2]}
	sequence := extents(op.Operands[1])
	last := len(sequence) - 1
	k.N = sequence[last]
	if last > 0 {
		k.Outer, k.M = shape.Size(sequence[:last]), extents(op.Operands[0])[last]
	}
	return k
}
