package tensor

import "github.com/go-acap/acap/mlir"

// reassociation returns the groups of an expand_shape or collapse_shape: for each
// dimension of the smaller rank, the dimensions of the larger one.
func reassociation(op *mlir.Operation) ([][]int, bool) {
	list, ok := op.Attrs.Get("reassociation").(mlir.ArrayAttr)
	groups := make([][]int, len(list))
	for i, g := range list {
		var isList bool
		groups[i], isList = mlir.IntList(g)
		ok = ok && isList
	}
	return groups, ok
}

func reassociationAttr(groups [][]int) mlir.ArrayAttr {
	list := make(mlir.ArrayAttr, len(groups))
	for i, g := range groups {
		inner := make(mlir.ArrayAttr, len(g))
		for j, d := range g {
			inner[j] = mlir.Int(d)
		}
		list[i] = inner
	}
	return list
}

// parseExpandShape reads %t [[0, 1], [2]] output_shape [2, 3, %n] {…} : T into U.
func parseExpandShape(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	groups := p.ArrayAttr()
	p.Expect("output_shape")
	sizes := parseBounds(p)
	attrs := p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("into")
	op.SetResults(p.Type())
	setExpandShape(op, groups, sizes)
	op.Attrs = append(op.Attrs, attrs...)
}

func setExpandShape(op *mlir.Operation, groups mlir.ArrayAttr, sizes []Bound) {
	op.Attrs = append(op.Attrs,
		mlir.Named{Name: "reassociation", Value: groups},
		mlir.Named{Name: "static_output_shape", Value: splitBounds(op, sizes)})
}

func printExpandShape(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" ")
	p.Attr(op.Attrs.Get("reassociation"))
	p.Text(" output_shape ")
	sizes, _ := joinBounds(op.Attrs.Get("static_output_shape"), op.Operands[1:])
	printBounds(p, sizes)
	p.OptionalAttrs(op.Attrs, "reassociation", "static_output_shape")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" into ")
	p.Type(op.Results[0].Type)
}

// parseCollapseShape reads %t [[0, 1]] {…} : T into U.
func parseCollapseShape(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	groups := p.ArrayAttr()
	attrs := p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("into")
	op.SetResults(p.Type())
	op.Attrs = append(mlir.Attrs{{Name: "reassociation", Value: groups}}, attrs...)
}

func printCollapseShape(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" ")
	p.Attr(op.Attrs.Get("reassociation"))
	p.OptionalAttrs(op.Attrs, "reassociation")
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" into ")
	p.Type(op.Results[0].Type)
}
