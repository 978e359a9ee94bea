package engine

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// segments splits the operands of a linalg operation into inputs and outputs.
func segments(op *mlir.Operation) (ins, outs []*mlir.Value) {
	n := len(op.Operands) - len(op.Results)
	if sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes")); ok && len(sizes) == 2 {
		n = sizes[0]
	}
	if n < 0 || n > len(op.Operands) {
		return op.Operands, nil
	}
	return op.Operands[:n], op.Operands[n:]
}

// structuredOp starts the conversion of a linalg operation with its operands.
func (g *graph) structuredOp(op *mlir.Operation, ins, outs []*mlir.Value,
	maps []mlir.AffineMap, reduction []bool) *structured {
	if len(maps) != len(ins)+len(outs) || len(outs) != len(op.Results) {
		g.fail("%d operands, %d results and %d indexing maps",
			len(ins)+len(outs), len(op.Results), len(maps))
		return nil
	}
	s := &structured{g: g, reduction: reduction, results: op.Results}
	for i, v := range append(ins[:len(ins):len(ins)], outs...) {
		w, ok := g.value(v)
		if !ok {
			return nil
		}
		if i < len(ins) {
			s.ins = append(s.ins, operand{w, maps[i]})
		} else {
			s.outs = append(s.outs, operand{w, maps[i]})
		}
	}
	return s
}

// region takes the body from a block whose arguments are the elements of the
// inputs and then of the outputs (which some operations leave out).
func (s *structured) region(op *mlir.Operation) bool {
	block := op.Body()
	n := len(s.ins) + len(s.outs)
	if block == nil || len(block.Args) != n && len(block.Args) != len(s.ins) {
		s.g.fail("body does not take one element of each operand")
		return false
	}
	reduces := false
	for _, r := range s.reduction {
		reduces = reduces || r
	}
	if !reduces {
		s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
			sc.bind(block, arg)
			return sc.block(block)
		}
		return true
	}
	f, values, ok := s.combiners(block)
	if !ok {
		return false
	}
	s.reduce = f
	s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
		sc.bind(block, arg)
		out := make([]int, len(values))
		for i, v := range values {
			var ok bool
			if out[i], ok = v(sc); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return true
}

// bind makes the arguments of a block available.
func (s *scalars) bind(block *mlir.Block, arg func(int) (int, bool)) {
	outer := s.outer
	s.outer = func(v *mlir.Value) (int, bool) {
		switch {
		case v.Owner == block:
			return arg(v.Index)
		case v.Def != nil && v.Def.Block == block:
			if !s.operation(v.Def) {
				return 0, false
			}
			n, ok := s.values[v]
			return n, ok
		}
		return outer(v)
	}
}

// combiners finds, for every output of a reduction, the operation that folds and
// what it folds. It reports false if the body is of another form.
func (s *structured) combiners(block *mlir.Block) ([]fold, []func(*scalars) (int, bool), bool) {
	tainted := map[*mlir.Value]bool{}
	for i := range s.outs {
		if k := len(s.ins) + i; k < len(block.Args) {
			tainted[block.Args[k]] = true
		}
	}
	for _, op := range block.Ops {
		for _, v := range op.Operands {
			if tainted[v] {
				for _, r := range op.Results {
					tainted[r] = true
				}
			}
		}
	}
	end := block.Terminator()
	if end == nil || len(end.Operands) != len(s.outs) || len(block.Args) != len(s.ins)+len(s.outs) {
		return nil, nil, false
	}
	var kinds []fold
	var values []func(*scalars) (int, bool)
	for i, y := range end.Operands {
		f, value, ok := combiner(y.Def, block.Args[len(s.ins)+i], tainted)
		if !ok {
			return nil, nil, false
		}
		kinds, values = append(kinds, f), append(values, value)
	}
	return kinds, values, true
}

// combiner matches y = op(acc, x), in any order of the operands, and
// y = fma(a, b, acc), where x, a and b do not depend on accumulators.
func combiner(op *mlir.Operation, acc *mlir.Value, tainted map[*mlir.Value]bool) (fold,
	func(*scalars) (int, bool), bool) {
	if op == nil {
		return fold{}, nil, false
	}
	if op.Name == "math.fma" && op.Operands[2] == acc && !tainted[op.Operands[0]] &&
		!tainted[op.Operands[1]] {
		return folds["arith.addf"], func(s *scalars) (int, bool) {
			x, okX := s.value(op.Operands[0])
			y, okY := s.value(op.Operands[1])
			if !okX || !okY {
				return 0, false
			}
			return translators["arith.mulf"](s, op, []int{x, y}), true
		}, true
	}
	f, ok := folds[op.Name]
	if !ok || len(op.Operands) != 2 {
		return fold{}, nil, false
	}
	x := op.Operands[0]
	if x == acc {
		x = op.Operands[1]
	} else if op.Operands[1] != acc {
		return fold{}, nil, false
	}
	if tainted[x] {
		return fold{}, nil, false
	}
	return f, func(s *scalars) (int, bool) { return s.value(x) }, true
}

// generic converts linalg.generic.
func (g *graph) generic(op *mlir.Operation) {
	maps, ok := indexingMaps(op)
	if !ok {
		g.fail("indexing_maps is not a list of affine maps")
		return
	}
	kinds, ok := op.Attrs.Get("iterator_types").(mlir.ArrayAttr)
	if !ok {
		g.fail("iterator_types is not a list")
		return
	}
	reduction := make([]bool, len(kinds))
	for i, k := range kinds {
		text := k.String()
		reduction[i] = strings.Contains(text, "reduction")
		if !reduction[i] && !strings.Contains(text, "parallel") {
			g.fail("iterator type %s is not supported", text)
			return
		}
	}
	ins, outs := segments(op)
	if s := g.structuredOp(op, ins, outs, maps, reduction); s != nil {
		g.buildRegion(op, s)
	}
}

func indexingMaps(op *mlir.Operation) ([]mlir.AffineMap, bool) {
	list, ok := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
	if !ok {
		return nil, false
	}
	maps := make([]mlir.AffineMap, len(list))
	for i, a := range list {
		m, ok := a.(mlir.AffineMapAttr)
		if !ok {
			return nil, false
		}
		maps[i] = m.Map
	}
	return maps, true
}

// buildRegion builds an operation with a body of its own; a reduction that folds
// in a way that kernels do not know is evaluated as it is written.
func (g *graph) buildRegion(op *mlir.Operation, s *structured) {
	if s.region(op) {
		s.build()
	} else if g.err == nil {
		g.evaluate(op)
	}
}
