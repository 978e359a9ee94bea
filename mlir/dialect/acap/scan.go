package acap

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

var _ = register(mlir.OpDef{Name: "acap.scan", Traits: mlir.Pure, Operands: 1, Results: 1,
	Verify: verifyScan, Parse: parseScan, Print: printScan})

func init() { Kernels["acap.scan"] = Kernel{"scan", scanKernel} }

// Scan appends the running folds of x, a tensor, along an axis.
func Scan(b *mlir.Builder, kind string, x *mlir.Value, axis int, unsigned bool) *mlir.Value {
	return b.Create("acap.scan", []*mlir.Value{x}, []mlir.Type{x.Type},
		scanning(kind, axis, false, unsigned)).Result()
}

// ScanPositions appends the positions (i64) of the running extremes of x, a tensor, along
// an axis; kind is Max or Min.
func ScanPositions(b *mlir.Builder, kind string, x *mlir.Value, axis int, unsigned bool) *mlir.Value {
	t, _ := x.Type.(mlir.TensorType)
	return b.Create("acap.scan", []*mlir.Value{x}, []mlir.Type{positionsOf(t)},
		scanning(kind, axis, true, unsigned)).Result()
}

// scanning are the attributes of scans, in alphabetical order.
func scanning(kind string, axis int, positions, unsigned bool) mlir.Attrs {
	return flag(flag(Folding{Kind: kind, Axis: axis}.attrs(), "positions", positions), "unsigned", unsigned)
}

// parseScan reads max %x axis 1 positions unsigned : T.
func parseScan(p *mlir.Parser, op *mlir.Operation) {
	kind, x := p.Keyword(), p.Operand()
	axis := parseAxis(p)
	positions := p.Accept("positions")
	op.Attrs = scanning(kind, axis, positions, p.Accept("unsigned"))
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(x, t)}
	if tensor, ok := t.(mlir.TensorType); ok && positions {
		t = positionsOf(tensor)
	}
	op.SetResults(t)
}

func printScan(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" " + Kind(op) + " ")
	p.Value(op.Operands[0])
	printNumber(p, op, "axis", "axis")
	printFlag(p, op, "positions")
	printFlag(p, op, "unsigned")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
}

func verifyScan(op *mlir.Operation) error {
	t, err := static("the operand", op.Operands[0])
	err = firstOf(err, attributes(op, []string{"kind", "axis"}, "positions", "unsigned"), wantKind(op, scanKinds))
	if err = firstOf(err, wantAxis(op, t)); err != nil {
		return err
	}
	if Kind(op) == LogAddExp && !mlir.DTypeOf(t.Elem).IsFloat() {
		return fmt.Errorf("logaddexp needs floating elements, not %s", t.Elem)
	}
	if Positions(op) {
		t = positionsOf(t)
		if Kind(op) != Max && Kind(op) != Min {
			return fmt.Errorf("%s has no positions; max and min have", Kind(op))
		}
	}
	return wantType("the result", op.Results[0], t)
}

func scanKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Scan{Name: name, Lines: linesOf(op), Fold: foldOf(op), Unsigned: Unsigned(op),
		Positions: Positions(op), X: p[0], Out: p[1]}
}
