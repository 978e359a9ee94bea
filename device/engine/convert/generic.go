package convert

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// computation converts a structured operation of linalg, whatever its name is: the loops, the indexing
// maps and the region are those that the dialect gives it.
func (g *converter) computation(op *mlir.Operation) {
	if err := linalg.Verify(op); err != nil {
		g.fail("%v", err)
		return
	}
	maps, kinds := linalg.IndexingMaps(op), linalg.Iterators(op)
	ins, outs := linalg.Inputs(op), linalg.Outputs(op)
	if len(outs) != len(op.Results) {
		g.fail("memory is not a value here")
		return
	}
	s := &structured{g: g, results: op.Results}
	for _, kind := range kinds {
		if kind != linalg.Parallel && kind != linalg.Reduction {
			g.fail("iterator type %s is not supported", kind)
			return
		}
		s.reduction = append(s.reduction, kind == linalg.Reduction)
	}
	for i, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		o := operand{View: w, m: maps[i]}
		if i < len(ins) {
			s.ins = append(s.ins, o)
		} else {
			s.outs = append(s.outs, o)
		}
	}
	// A reduction that folds in a way that kernels do not know is evaluated as it is written.
	if s.region(op) {
		s.build()
	} else if g.err == nil {
		g.evaluate(op)
	}
}

// region takes the body from a block whose arguments are the elements of the
// inputs and then of the outputs (which some operations leave out).
func (s *structured) region(op *mlir.Operation) bool {
	block := op.Body()
	used := map[*mlir.Value]bool{}
	for _, o := range block.Ops {
		o.Walk(func(inner *mlir.Operation) {
			for _, v := range inner.Operands {
				used[v] = true
			}
		})
	}
	for i := range s.ins {
		s.unread = append(s.unread, !used[block.Args[i]])
	}
	if !slices.Contains(s.reduction, true) {
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
	if op == nil || onFloat8(op) {
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
