package acap

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.sort", Traits: mlir.Pure, Operands: 1, Results: 2,
	Verify: verifySort, Parse: parseSort, Print: printSort})

func init() { Kernels["acap.sort"] = Kernel{"sort", sortKernel} }

// Order says how a sort orders and which places of the sorted line it keeps: count of
// them, starting with First.
type Order struct {
	Axis                 int
	Descending, Unsigned bool
	First, Count         int
}

func (o Order) attributes() mlir.Attrs {
	attrs := flag(mlir.Attrs{{Name: "axis", Value: mlir.Int(o.Axis)}}, "descending", o.Descending)
	attrs = append(attrs, mlir.Named{Name: "first", Value: mlir.Int(o.First)})
	return flag(attrs, "unsigned", o.Unsigned)
}

// Sort appends a sort of x, a tensor, and returns the values and their positions (i64).
func Sort(b *mlir.Builder, x *mlir.Value, o Order) (values, positions *mlir.Value) {
	t, _ := x.Type.(mlir.TensorType)
	t.Shape = append([]int(nil), t.Shape...)
	t.Shape[o.Axis] = o.Count
	op := b.Create("acap.sort", []*mlir.Value{x}, []mlir.Type{t, positionsOf(t)}, o.attributes())
	return op.Results[0], op.Results[1]
}

// First returns the place in the sorted line of the first result of a sort.
func First(op *mlir.Operation) int { return integer(op, "first") }

// Descending reports whether a sort puts the largest element first.
func Descending(op *mlir.Operation) bool { return op.Attrs.Get("descending") != nil }

// parseSort reads %x axis 1 descending unsigned from 2 : T to U.
func parseSort(p *mlir.Parser, op *mlir.Operation) {
	x := p.Operand()
	o := Order{Axis: parseAxis(p), Descending: p.Accept("descending"), Unsigned: p.Accept("unsigned")}
	if p.Accept("from") {
		o.First = p.Int()
	}
	op.Attrs = o.attributes()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(x, p.Type())}
	values := op.Operands[0].Type
	if p.Accept("to") {
		values = p.Type()
	}
	t, ok := values.(mlir.TensorType)
	if !ok && !p.Failed() {
		p.ErrorAt(op.Loc, "acap.sort gives tensors, not %s", values)
	}
	op.SetResults(values, positionsOf(t))
}

func printSort(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "descending")
	printFlag(p, op, "unsigned")
	if First(op) != 0 {
		printNumber(p, op, "from", "first")
	}
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	if t := op.Results[0].Type; !mlir.SameType(t, op.Operands[0].Type) {
		p.Text(" to ")
		p.Type(t)
	}
}

func verifySort(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	r, err2 := static("the result", op.Results[0])
	err = firstOf(err, err2, attributes(op, []string{"axis", "first"}, "descending", "unsigned"))
	if err = firstOf(err, wantAxis(op, t)); err != nil {
		return err
	}
	n, axis := 0, Axis(op)
	if len(r.Shape) == len(t.Shape) {
		n = r.Shape[axis]
	}
	if First(op)+n > t.Shape[axis] {
		return fmt.Errorf("places %d to %d of lines of %d", First(op), First(op)+n, t.Shape[axis])
	}
	t.Shape = slices.Clone(t.Shape)
	t.Shape[axis] = n
	return firstOf(wantType("the first result", op.Results[0], t),
		wantType("the second result", op.Results[1], positionsOf(t)))
}

func sortKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Sort{Name: name, Lines: linesOf(op), First: First(op), Count: extents(op.Results[0])[Axis(op)],
		Descending: Descending(op), Unsigned: Unsigned(op), X: p[0], Values: p[1], Positions: p[2]}
}
