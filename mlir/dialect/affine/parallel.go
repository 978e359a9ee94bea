package affine

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// reductions are the kinds of arith's atomic updates by number.
var reductions = []string{"addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu",
	"mulf", "muli", "ori", "andi", "maxnumf", "minnumf"}

// parseBounds reads (A, max(B, C), …): the results of all groups make one map.
func parseBounds(p *mlir.Parser, op *mlir.Operation, keyword string) (mlir.AffineMapAttr, mlir.DenseAttr) {
	var groups []int64
	m, refs := p.AffineMapOfGroups(keyword, &groups)
	p.ResolveIndices(op, refs)
	t := mlir.TensorType{Shape: []int{len(groups)}, Elem: mlir.I32}
	return mlir.AffineMapAttr{Map: m}, mlir.DenseInts(t, groups)
}

// parseParallel reads (%i, %j) = (A, B) to (C, D) step (1, 2) reduce ("addf") -> (T) { … }.
func parseParallel(p *mlir.Parser, op *mlir.Operation) {
	indices := p.OperandList("(", ")")
	p.Expect("=")
	lower, lowers := parseBounds(p, op, "max")
	p.Expect("to")
	upper, uppers := parseBounds(p, op, "min")
	steps := make(mlir.ArrayAttr, len(indices))
	for i := range steps {
		steps[i] = mlir.Int(1)
	}
	if p.Accept("step") {
		steps = nil
		p.List("(", ")", func() { steps = append(steps, mlir.Int(p.Int())) })
	}
	kinds := mlir.ArrayAttr{}
	op.SetResults()
	if p.Accept("reduce") {
		p.List("(", ")", func() {
			word := p.Str()
			kind := slices.Index(reductions, word)
			if kind < 0 && !p.Failed() {
				p.Errorf("unknown reduction %q", word)
			}
			kinds = append(kinds, mlir.Int(kind))
		})
		p.Expect("->")
		op.SetResults(p.ResultTypes()...)
	}
	op.Attrs = mlir.Attrs{{Name: "lowerBoundsGroups", Value: lowers}, {Name: "lowerBoundsMap", Value: lower},
		{Name: "reductions", Value: kinds}, {Name: "steps", Value: steps},
		{Name: "upperBoundsGroups", Value: uppers}, {Name: "upperBoundsMap", Value: upper}}
	args := make([]mlir.BlockArg, len(indices))
	for i, r := range indices {
		args[i] = mlir.BlockArg{Ref: r, Type: mlir.Index}
	}
	assembly.EnsureTerminator(p.Region(op, args), "affine.yield", op.Loc)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func verifyParallel(op *mlir.Operation) error {
	lower, upper := mapAttr(op, "lowerBoundsMap"), mapAttr(op, "upperBoundsMap")
	steps, ok := mlir.IntList(op.Attrs.Get("steps"))
	switch {
	case lower == nil || upper == nil || !ok || op.Body() == nil || len(op.Body().Args) != len(steps):
		return fmt.Errorf("needs bounds and a step for each index")
	case lower.Dims+lower.Symbols+upper.Dims+upper.Symbols != len(op.Operands):
		return fmt.Errorf("the operands do not fit the bounds")
	}
	for i, name := range []string{"lowerBoundsGroups", "upperBoundsGroups"} {
		m := []*mlir.AffineMap{lower, upper}[i]
		groups, _ := mlir.IntList(op.Attrs.Get(name))
		total := 0
		for _, n := range groups {
			total += max(n, 0)
		}
		if len(groups) != len(steps) || total != len(m.Results) {
			return fmt.Errorf("%s does not fit the bounds", name)
		}
	}
	n := lower.Dims + lower.Symbols
	if err := checkInputs(op, lower.Dims, op.Operands[:n]); err != nil {
		return err
	}
	if err := checkInputs(op, upper.Dims, op.Operands[n:]); err != nil {
		return err
	}
	kinds, _ := mlir.IntList(op.Attrs.Get("reductions"))
	if len(kinds) != len(op.Results) {
		return fmt.Errorf("has %d reductions for %d results", len(kinds), len(op.Results))
	}
	for i, k := range kinds {
		if k < 0 || k >= len(reductions) {
			return fmt.Errorf("has the unknown reduction %d", k)
		}
		if !reduces(reductions[k], op.Results[i].Type) {
			return fmt.Errorf("%s does not give %s", reductions[k], op.Results[i].Type)
		}
	}
	return yields(op.Regions[0], mlir.TypesOf(op.Results))
}

// reduces reports whether a reduction works on values of t.
func reduces(kind string, t mlir.Type) bool {
	switch kind {
	case "assign":
		return true
	case "addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf":
		_, ok := t.(mlir.FloatType)
		return ok
	case "maxs", "mins":
		i, ok := t.(mlir.IntegerType)
		return ok && i.Signedness != mlir.Unsigned
	case "maxu", "minu":
		i, ok := t.(mlir.IntegerType)
		return ok && i.Signedness != mlir.Signed
	}
	_, ok := t.(mlir.IntegerType)
	return ok
}

func printParallel(p *mlir.Printer, op *mlir.Operation) {
	lower, upper := mapAttr(op, "lowerBoundsMap"), mapAttr(op, "upperBoundsMap")
	lowers, _ := mlir.IntList(op.Attrs.Get("lowerBoundsGroups"))
	uppers, _ := mlir.IntList(op.Attrs.Get("upperBoundsGroups"))
	n := lower.Dims + lower.Symbols
	p.Text(" (")
	p.Values(op.Body().Args)
	p.Text(") = (")
	printBounds(p, *lower, op.Operands[:n], lowers, "max")
	p.Text(") to (")
	printBounds(p, *upper, op.Operands[n:], uppers, "min")
	p.Text(")")
	steps, _ := mlir.IntList(op.Attrs.Get("steps"))
	if slices.ContainsFunc(steps, func(n int) bool { return n != 1 }) {
		p.DynamicIndexList(" step (", ")", op.Attrs.Get("steps"), nil)
	}
	if len(op.Results) > 0 {
		kinds, _ := mlir.IntList(op.Attrs.Get("reductions"))
		p.Text(" reduce (")
		for i, k := range kinds {
			if i > 0 {
				p.Text(", ")
			}
			if k >= 0 && k < len(reductions) {
				p.Attr(mlir.StringAttr(reductions[k]))
			}
		}
		p.Text(") -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs, "lowerBoundsGroups", "lowerBoundsMap", "reductions", "steps",
		"upperBoundsGroups", "upperBoundsMap")
}

func printBounds(p *mlir.Printer, m mlir.AffineMap, operands []*mlir.Value, groups []int, keyword string) {
	at := 0
	for i, n := range groups {
		if i > 0 {
			p.Text(", ")
		}
		part := m
		part.Results = m.Results[at : at+n]
		at += n
		if n != 1 {
			p.Text(keyword + "(")
		}
		p.AffineMapOfValues(part, operands)
		if n != 1 {
			p.Text(")")
		}
	}
}
