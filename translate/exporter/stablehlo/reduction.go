package stablehlo

import (
	"math"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// folds are the operations that a reduction may combine with, by the neutral element.
var folds = map[string]struct {
	name    string
	neutral func(elem mlir.Type) any
}{
	"arith.addf": {"add", zero}, "arith.addi": {"add", zero}, "arith.mulf": {"multiply", one},
	"arith.muli": {"multiply", one}, "arith.ori": {"or", zero}, "arith.xori": {"xor", zero},
	"arith.andi":     {"and", func(mlir.Type) any { return int64(-1) }},
	"arith.maximumf": {"maximum", func(mlir.Type) any { return math.Inf(-1) }},
	"arith.minimumf": {"minimum", func(mlir.Type) any { return math.Inf(1) }},
	"arith.maxsi":    {"maximum", least}, "arith.minsi": {"minimum", most},
}

func zero(mlir.Type) any { return 0.0 }
func one(mlir.Type) any  { return 1.0 }

func least(t mlir.Type) any { return int64(math.MinInt64) >> (64 - mlir.BitWidth(t)) }
func most(t mlir.Type) any  { return int64(math.MaxInt64) >> (64 - mlir.BitWidth(t)) }

// reduction writes a generic with reduction loops: fold(accumulator, expression).
func (w *writer) reduction(l *loops) {
	body := l.op.Body()
	results := body.Terminator().Operands
	for i, r := range results {
		acc := body.Args[l.ins+i]
		outMap := l.maps[l.ins+i]
		def := r.Def
		if def == nil || def.Block != body {
			w.fail("a reduction that is no fold")
		}
		var terms []*mlir.Value
		fold := folds[def.Name]
		switch {
		case def.Name == "math.fma" && def.Operands[2] == acc:
			fold, terms = folds["arith.addf"], def.Operands[:2]
		case len(def.Operands) == 2 && def.Operands[0] == acc:
			terms = def.Operands[1:]
		case len(def.Operands) == 2 && def.Operands[1] == acc:
			terms = def.Operands[:1]
		}
		if fold.name == "" || len(terms) == 0 || dependsOn(body, terms, acc) {
			w.fail("a reduction that is no fold of one operation")
		}
		var kept, over []int
		for d, reduced := range l.reduced {
			if reduced {
				over = append(over, d)
			}
		}
		for _, e := range outMap.Results {
			if e.Kind != mlir.AffineDim || l.reduced[e.Value] {
				w.fail("writes to computed places")
			}
			kept = append(kept, e.Value)
		}
		if fold.name == "add" {
			if p := w.sumOfProducts(l, terms, kept, over); p != nil {
				w.values[l.op.Results[i]] = w.plus(l.op.Operands[l.ins+i], p)
				continue
			}
		}
		elem := elemOf(terms[0].Type)
		init := w.neutral(fold.neutral(elem), elem)
		r, loops := w.windowed(l, fold.name, terms, init)
		if r != nil {
			r = w.transpose(r, placesAmong(kept, loops))
		} else {
			r = w.reduce(fold.name, w.points(l, terms), init, over)
			r = w.transpose(r, order(kept))
		}
		if out := l.op.Operands[l.ins+i]; !filled(out, fold.neutral(elem)) {
			r = w.create(fold.name, r.Type, nil, w.value(out), r)
		}
		w.values[l.op.Results[i]] = r
	}
}

// points are the elements of all points of the loops that a reduction folds: its one term, or the product of two.
func (w *writer) points(l *loops, terms []*mlir.Value) *mlir.Value {
	body, args := l.op.Body(), map[*mlir.Value]*mlir.Value{}
	for k, v := range l.op.Operands[:l.ins] {
		if arg := body.Args[k]; used(body, arg) {
			args[arg] = w.read(w.value(v), l.maps[k], l.extents)
		}
	}
	x := w.body(body, args, l.extents, terms...)
	full := w.broadcast(x[0], l.extents, placesOf(x[0], l.extents))
	if len(x) == 2 {
		other := w.broadcast(x[1], l.extents, placesOf(x[1], l.extents))
		full = w.create("multiply", full.Type, nil, full, other)
	}
	return full
}

// neutral is a constant without dimensions: a float64, or an int64 where a float64 is too
// narrow.
func (w *writer) neutral(v any, elem mlir.Type) *mlir.Value {
	if n, ok := v.(int64); ok {
		return w.literal(mlir.DenseInts(tensor(elem, []int{}), []int64{n}))
	}
	return w.number(v.(float64), elem)
}

// order is the permutation that brings dimensions in ascending order of loops to the given one.
func order(kept []int) []int {
	return placesAmong(kept, slices.Sorted(slices.Values(kept)))
}

// placesAmong are the places of loops in a list of the same loops.
func placesAmong(kept, list []int) []int {
	places := make([]int, len(kept))
	for i, d := range kept {
		places[i] = slices.Index(list, d)
	}
	return places
}

// dependsOn reports whether values of a body are computed from another one.
func dependsOn(b *mlir.Block, values []*mlir.Value, from *mlir.Value) bool {
	tainted := map[*mlir.Value]bool{from: true}
	for _, op := range b.Ops {
		if slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool { return tainted[v] }) {
			for _, r := range op.Results {
				tainted[r] = true
			}
		}
	}
	return slices.ContainsFunc(values, func(v *mlir.Value) bool { return tainted[v] })
}

// reduce appends a stablehlo.reduce over dimensions.
func (w *writer) reduce(fold string, x, init *mlir.Value, over []int) *mlir.Value {
	elem := elemOf(x.Type)
	dims := []int{}
	for d, n := range shapeOf(x.Type) {
		if !slices.Contains(over, d) {
			dims = append(dims, n)
		}
	}
	return w.fold("reduce", fold, x, init, tensor(elem, dims), mlir.Attrs{ints("dimensions", over)})
}

// fold appends an operation whose region combines two elements.
func (w *writer) fold(name, fold string, x, init *mlir.Value, result mlir.Type, attrs mlir.Attrs) *mlir.Value {
	op := mlir.NewOp("stablehlo."+name, []*mlir.Value{x, init}, []mlir.Type{result}, attrs)
	single := tensor(elemOf(x.Type), []int{})
	block := op.AddRegion().AddBlock(single, single)
	b := w.b.In(block)
	r := b.Create("stablehlo."+fold, block.Args, []mlir.Type{single}, nil)
	b.Create("stablehlo.return", r.Results, nil, nil)
	return w.b.Insert(op).Result()
}

// sumOfProducts writes a sum of products of two operands as dot_general, or returns nil. Each
// operand is read at the loops that it depends on.
func (w *writer) sumOfProducts(l *loops, terms []*mlir.Value, kept, over []int) *mlir.Value {
	if len(terms) == 1 {
		def := terms[0].Def
		if def == nil || def.Name != "arith.mulf" && def.Name != "arith.muli" {
			return nil
		}
		terms = def.Operands
	}
	for i, t := range terms {
		if r := w.convolved(l, t, terms[1-i], kept); r != nil {
			return r
		}
	}
	var sides [2]*mlir.Value
	var where [2][]int // the loops of each side's dimensions
	elem := elemOf(terms[0].Type)
	for i, t := range terms {
		if sides[i], where[i] = w.sideOf(l, t); sides[i] == nil {
			return nil
		}
	}
	var pairs dotDimensions
	var loops []int
	place := func(i, d int) int { return slices.Index(where[i], d) }
	for d := range l.extents {
		x, y := place(0, d), place(1, d)
		switch {
		case slices.Contains(over, d) && (x < 0 || y < 0):
			return nil
		case slices.Contains(over, d):
			pairs.xSum, pairs.ySum = append(pairs.xSum, x), append(pairs.ySum, y)
		case x >= 0 && y >= 0:
			pairs.xBatch, pairs.yBatch, loops = append(pairs.xBatch, x), append(pairs.yBatch, y), append(loops, d)
		case x < 0 && y < 0:
			return nil
		}
	}
	for i := range sides {
		for _, d := range where[i] {
			if place(1-i, d) < 0 {
				loops = append(loops, d)
			}
		}
	}
	r := w.dot(sides[0], sides[1], pairs, elem)
	return w.transpose(r, placesAmong(kept, loops))
}

// sideOf is what a product reads of an operand, by the loops that its elements depend on, and these; nil if the term is
// no operand of the loops.
func (w *writer) sideOf(l *loops, term *mlir.Value) (side *mlir.Value, where []int) {
	for term.Def != nil && (term.Def.Name == "arith.extf" || term.Def.Name == "arith.extsi") {
		term = term.Def.Operands[0]
	}
	k := slices.Index(l.op.Body().Args[:l.ins], term)
	if k < 0 {
		return nil, nil
	}
	uses := make([]bool, len(l.extents))
	for _, e := range l.maps[k].Results {
		coefficients, _, ok := e.Linear(l.maps[k].Dims)
		if !ok {
			return nil, nil
		}
		for d, c := range coefficients {
			uses[d] = uses[d] || c != 0
		}
	}
	var extents []int
	for d, u := range uses {
		if u {
			where, extents = append(where, d), append(extents, l.extents[d])
		}
	}
	m := mlir.AffineMap{Dims: len(where)}
	for _, e := range l.maps[k].Results {
		coefficients, offset, _ := e.Linear(l.maps[k].Dims)
		sum := mlir.Const(offset)
		for d, c := range coefficients {
			if c != 0 {
				sum = sum.Plus(mlir.Dim(slices.Index(where, d)).Times(c))
			}
		}
		m.Results = append(m.Results, sum)
	}
	return w.read(w.value(l.op.Operands[k]), m, extents), where
}
