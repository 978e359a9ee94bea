package bucket

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// body writes into the body of a loop nest, in front of what is there.
type body struct{ ops []*mlir.Operation }

func (b *body) op(name string, t mlir.Type, attrs mlir.Attrs, operands ...*mlir.Value) *mlir.Value {
	op := mlir.NewOp(name, operands, []mlir.Type{t}, attrs)
	b.ops = append(b.ops, op)
	return op.Result()
}

func (b *body) index(d int) *mlir.Value {
	i := b.op("linalg.index", mlir.Index, mlir.Attrs{{Name: "dim", Value: mlir.Int(d)}})
	return b.op("arith.index_cast", mlir.I64, nil, i)
}

func (b *body) int(v int) *mlir.Value {
	return b.op("arith.constant", mlir.I64, mlir.Attrs{{Name: "value", Value: mlir.Int(v)}})
}

// The predicates of arith.cmpi.
const (
	less         = 2
	greaterEqual = 5
)

func (b *body) compare(predicate int64, x, y *mlir.Value) *mlir.Value {
	return b.op("arith.cmpi", mlir.I1, mlir.Attrs{{Name: "predicate",
		Value: mlir.IntegerAttr{Value: predicate, Type: mlir.I64}}}, x, y)
}

func (b *body) choose(cond, x, y *mlir.Value) *mlir.Value {
	return b.op("arith.select", x.Type, nil, cond, x, y)
}

func (b *body) and(x, y *mlir.Value) *mlir.Value {
	if x == nil {
		return y
	}
	return b.op("arith.andi", mlir.I1, nil, x, y)
}

// input is the tensor that has a parameter.
func (p *Program) input(k int) *mlir.Value { return p.params[k].input }

// param reads a parameter.
func (b *body) param(p *Program, k int) *mlir.Value {
	v := p.input(k)
	return b.op("tensor.extract", v.Type.(mlir.TensorType).Elem, nil, v)
}

// number converts a parameter to the type of a constant.
func (b *body) number(p *Program, k int, t mlir.Type) *mlir.Value {
	v := b.param(p, k)
	if mlir.SameType(v.Type, t) {
		return v
	}
	name := "arith.truncf"
	switch t := t.(type) {
	case mlir.IndexType:
		name = "arith.index_cast"
	case mlir.IntegerType:
		if name = "arith.trunci"; t.Width > 64 {
			name = "arith.extsi"
		}
	}
	return b.op(name, t, nil, v)
}

// inside is whether a loop's turn is one of the exact program.
func (b *body) inside(p *Program, loops []int, which func(loop int) bool) *mlir.Value {
	var cond *mlir.Value
	for d, k := range loops {
		if k >= 0 && which(d) {
			cond = b.and(cond, b.compare(less, b.index(d), b.param(p, k)))
		}
	}
	return cond
}

// loops returns the parameters of the extents of the loops of a linalg.generic, or -1.
func (m *masker) loops(op *mlir.Operation, maps []mlir.AffineMap, count int) ([]int, error) {
	loops := make([]int, count)
	for i := range loops {
		loops[i] = -1
	}
	for i, v := range op.Operands {
		for d, e := range maps[i].Results {
			k := m.extent(v, d)
			if e.Kind != mlir.AffineDim || k < 0 {
				continue
			}
			if loops[e.Value] >= 0 && loops[e.Value] != k {
				return nil, at(op, "two padded dimensions that depend on the extent in other ways meet")
			}
			loops[e.Value] = k
		}
	}
	for i, v := range op.Operands { // all extents of a loop are the same
		for d, e := range maps[i].Results {
			if e.Kind == mlir.AffineDim && loops[e.Value] >= 0 && m.extent(v, d) < 0 {
				return nil, at(op, "a padded dimension meets one that is not")
			}
		}
	}
	return loops, nil
}

// generic masks a loop nest.
func (m *masker) generic(op *mlir.Operation) error {
	maps, reductions := mapsOf(op)
	if len(maps) != len(op.Operands) {
		return at(op, "has maps that are not understood")
	}
	loops, err := m.loops(op, maps, len(reductions))
	if err != nil {
		return err
	}
	block := op.Regions[0].Blocks[0]
	end := block.Ops[len(block.Ops)-1]
	var head body
	valid := head.inside(m.p, loops, func(int) bool { return true })
	folded := head.inside(m.p, loops, func(d int) bool { return reductions[d] })
	out := head.ops
	now := map[*mlir.Value]*mlir.Value{}
	for _, inner := range block.Ops[:len(block.Ops)-1] {
		inner.ReplaceUses(now)
		if k, ok := m.numbers[inner]; ok {
			var b body
			now[inner.Result()] = b.number(m.p, k, inner.Result().Type)
			out = append(out, b.ops...)
			continue
		}
		if m.takesNumber(inner) {
			return at(op, "takes a number that depends on the extent")
		}
		if valid != nil {
			out = append(out, guard(inner, valid)...)
		}
		out = append(out, inner)
	}
	end.ReplaceUses(now)
	if folded != nil {
		first := len(block.Args) - len(end.Operands)
		for i := range end.Operands {
			out = leaveOut(out, block.Args[first+i], end, i, folded)
		}
	}
	block.Ops = append(out, end)
	for _, o := range block.Ops {
		o.Block = block
		if o.Loc.IsUnknown() {
			o.Loc = op.Loc
		}
	}
	m.keep(op)
	return nil
}

// guard keeps an operation from failing for what is in the padding: it replaces indices by 0 and divisors
// by 1 unless valid holds. It returns what to put in front.
func guard(inner *mlir.Operation, valid *mlir.Value) []*mlir.Operation {
	var b body
	first, instead := len(inner.Operands), int64(0)
	switch inner.Name {
	case "tensor.extract":
		first = 1
	case "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui":
		first, instead = 1, 1
	}
	for i := first; i < len(inner.Operands); i++ {
		v := inner.Operands[i]
		number := b.op("arith.constant", v.Type, mlir.Attrs{{Name: "value", Value: mlir.IntegerAttr{Value: instead, Type: v.Type}}})
		inner.Operands[i] = b.choose(valid, v, number)
	}
	return b.ops
}

// leaveOut keeps a turn from changing an accumulator unless cond holds: what is folded in becomes the
// identity of the fold, if it has one; otherwise the accumulator is yielded as it was.
func leaveOut(out []*mlir.Operation, acc *mlir.Value, end *mlir.Operation, i int, cond *mlir.Value) []*mlir.Operation {
	var b body
	fold := end.Operands[i].Def
	if at := slices.Index(out, fold); at >= 0 && len(fold.Operands) == 2 {
		side := slices.IndexFunc(fold.Operands, func(v *mlir.Value) bool { return v != acc })
		if v, ok := identity(fold.Name, acc.Type); ok && side >= 0 && fold.Operands[1-side] == acc {
			id := b.op("arith.constant", acc.Type, mlir.Attrs{{Name: "value", Value: v}})
			fold.Operands[side] = b.choose(cond, fold.Operands[side], id)
			return slices.Insert(out, at, b.ops...)
		}
	}
	end.Operands[i] = b.choose(cond, end.Operands[i], acc)
	return append(out, b.ops...)
}

// identity is the neutral element of a fold: with it the fold changes no value.
func identity(name string, t mlir.Type) (mlir.Attribute, bool) {
	if _, float := t.(mlir.FloatType); float {
		switch name {
		case "arith.addf":
			return mlir.Float(math.Copysign(0, -1), t), true
		case "arith.mulf":
			return mlir.Float(1, t), true
		case "arith.maximumf":
			return mlir.Float(math.Inf(-1), t), true
		case "arith.minimumf":
			return mlir.Float(math.Inf(1), t), true
		}
		return nil, false
	}
	width := mlir.BitWidth(t)
	if width == 0 || width > 64 {
		return nil, false
	}
	v := int64(0)
	switch strings.TrimPrefix(name, "arith.") {
	case "addi", "ori", "xori", "maxui":
	case "muli":
		v = 1
	case "andi", "minui":
		v = -1
		if width == 1 {
			v = 1
		}
	case "maxsi":
		v = math.MinInt64 >> (64 - width)
	case "minsi":
		v = math.MaxInt64 >> (64 - width)
	default:
		return nil, false
	}
	return mlir.IntegerAttr{Value: v, Type: t}, true
}

// mapsOf returns the maps of a linalg.generic and which of its loops are reductions.
func mapsOf(op *mlir.Operation) (maps []mlir.AffineMap, reductions []bool) {
	list, _ := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
	for _, a := range list {
		if m, ok := a.(mlir.AffineMapAttr); ok {
			maps = append(maps, m.Map)
		}
	}
	kinds, _ := op.Attrs.Get("iterator_types").(mlir.ArrayAttr)
	for _, k := range kinds {
		reductions = append(reductions, strings.Contains(k.String(), "reduction"))
	}
	return maps, reductions
}
