package ops

import (
	"cmp"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// Reshape gives t another shape of the same size: a collapse of all dimensions
// that differ into one, and an expansion of that one. It panics with a [*shape.Error] if the
// sizes differ.
func (l *Lowering) Reshape(t Lowered, dims []int) Lowered {
	have := t.Shape()
	if shape.Size(have) != shape.Size(dims) {
		panic(shape.Errorf([][]int{have, dims}, "shape is invalid for the size of the input"))
	}
	if shape.Equal(have, dims) {
		return t
	}
	if v := l.beforeReshape(t.V, dims); v != nil {
		return Lowered{v, t.D}
	}
	if groups := reassociation(have, dims); groups != nil {
		return l.collapse(t, groups, dims)
	}
	if groups := reassociation(dims, have); groups != nil {
		return l.expand(t, groups, dims)
	}
	flat := []int{shape.Size(have)}
	return l.Reshape(l.Reshape(t, flat), dims)
}

// made returns the operation that made v if it has the given name, else nil. It also returns nil if the operation or an
// operand was in the program before the lowering: such an operation may still be replaced, see [mlir.RewriteParts].
func (l *Lowering) made(v *mlir.Value, name string) *mlir.Operation {
	stays := func(v *mlir.Value) bool { return v.Def == nil || v.Def.Place() == 0 && !aten.Is(v.Def) }
	if v.Def == nil || v.Def.Name != name || !stays(v) {
		return nil
	}
	for _, o := range v.Def.Operands {
		if !stays(o) {
			return nil
		}
	}
	return v.Def
}

// beforeReshape returns the value of a shape that v is a reshape of, or nil.
func (l *Lowering) beforeReshape(v *mlir.Value, dims []int) *mlir.Value {
	for {
		op := cmp.Or(l.made(v, "tensor.collapse_shape"), l.made(v, "tensor.expand_shape"))
		if op == nil {
			return nil
		}
		v = op.Operands[0]
		if t, ok := v.Type.(mlir.TensorType); ok && shape.Equal(t.Shape, dims) {
			return v
		}
	}
}

// reassociation groups the dimensions of long so that the products are the extents of short, or returns nil.
func reassociation(long, short []int) [][]int {
	if len(long) <= len(short) || shape.Size(long) == 0 && len(short) != 1 && len(short) != 0 {
		return nil
	}
	groups := make([][]int, len(short))
	i := 0
	for g, n := range short {
		product := 1
		for first := true; i < len(long) && (first || product < n); first = false {
			product *= long[i]
			groups[g] = append(groups[g], i)
			i++
		}
		// Extents of 1 that follow belong to this group if later groups do not need them.
		for i < len(long) && long[i] == 1 && len(long)-i > len(short)-g-1 {
			groups[g] = append(groups[g], i)
			i++
		}
		if g == len(short)-1 {
			for ; i < len(long); i++ {
				product *= long[i]
				groups[g] = append(groups[g], i)
			}
		}
		if product != n || len(groups[g]) == 0 {
			return nil
		}
	}
	if len(short) > 0 && i != len(long) {
		return nil
	}
	return groups
}

func reassociationAttr(groups [][]int) mlir.Named {
	list := make(mlir.ArrayAttr, len(groups))
	for i, g := range groups {
		var a mlir.ArrayAttr
		for _, d := range g {
			a = append(a, mlir.Int(d))
		}
		list[i] = a
	}
	return mlir.Named{Name: "reassociation", Value: list}
}

func (l *Lowering) collapse(t Lowered, groups [][]int, dims []int) Lowered {
	to := LoweredType(TensorType{t.D, dims})
	op := l.create("tensor.collapse_shape", []*mlir.Value{t.V}, []mlir.Type{to},
		reassociationAttr(groups))
	return Lowered{op.Result(), t.D}
}

func (l *Lowering) expand(t Lowered, groups [][]int, dims []int) Lowered {
	to := LoweredType(TensorType{t.D, dims})
	op := l.create("tensor.expand_shape", []*mlir.Value{t.V}, []mlir.Type{to},
		reassociationAttr(groups), mlir.Named{Name: "static_output_shape", Value: mlir.Ints(dims)})
	return Lowered{op.Result(), t.D}
}

// Permute reorders dimensions: result dimension i is dimension perm[i] of t.
func (l *Lowering) Permute(t Lowered, perm []int) Lowered {
	in := t.Shape()
	out := make([]int, len(perm))
	identity := true
	for i, p := range perm {
		out[i] = in[p]
		identity = identity && i == p
	}
	if identity {
		return t
	}
	if v := l.beforePermute(t.V, perm); v != nil {
		return Lowered{v, t.D}
	}
	to := l.Empty(t.D, out)
	op := l.create("linalg.transpose", []*mlir.Value{t.V, to.V}, nil,
		mlir.Named{Name: "permutation", Value: mlir.Ints(perm)})
	op.Results = []*mlir.Value{{Type: to.V.Type, Def: op}}
	block := op.AddRegion().AddBlock(loweredElem(t.D), loweredElem(t.D))
	l.builder().In(block).Create("linalg.yield", []*mlir.Value{block.Args[0]}, nil, nil)
	return Lowered{op.Result(), t.D}
}

// beforePermute returns the value that v is a permutation of, if perm undoes this one, or nil.
func (l *Lowering) beforePermute(v *mlir.Value, perm []int) *mlir.Value {
	op := l.made(v, "linalg.transpose")
	if op == nil {
		return nil
	}
	first, ok := mlir.IntList(op.Attrs.Get("permutation"))
	if !ok || len(first) != len(perm) {
		return nil
	}
	for i, p := range perm {
		if first[p] != i {
			return nil
		}
	}
	return op.Operands[0]
}

// Broadcast expands t to a shape.
func (l *Lowering) Broadcast(t Lowered, dims []int) Lowered {
	if shape.Equal(t.Shape(), dims) {
		return t
	}
	return l.Generic(repeat(Parallel, len(dims)),
		[]Operand{{t, broadcastMap(t.Shape(), dims)}},
		[]Operand{{l.Empty(t.D, dims), mlir.Identity(len(dims))}},
		func(s *Scalars, x []Elem) []Elem { return x[:1] })[0]
}

func allEqual(list []int, v int) bool {
	for _, x := range list {
		if x != v {
			return false
		}
	}
	return true
}

func ones(n int) []int { return repeat(1, n) }

// Pad surrounds t with a number. Negative amounts crop.
func (l *Lowering) Pad(t Lowered, low, high []int, v float64) Lowered {
	dims := t.Shape()
	offsets, sizes := make([]int, len(dims)), make([]int, len(dims))
	lo, hi, out := make([]int, len(dims)), make([]int, len(dims)), make([]int, len(dims))
	for i, n := range dims {
		offsets[i] = max(-low[i], 0)
		sizes[i] = n - offsets[i] - max(-high[i], 0)
		lo[i], hi[i] = max(low[i], 0), max(high[i], 0)
		out[i] = sizes[i] + lo[i] + hi[i]
	}
	if shape.Size(sizes) == 0 { // nothing of t remains
		return l.Fill(t.D, out, v)
	}
	t = l.Slice(t, offsets, sizes, ones(len(dims)))
	if allEqual(lo, 0) && allEqual(hi, 0) {
		return t
	}
	number := l.Number(t.D, v)
	op := l.create("tensor.pad", []*mlir.Value{t.V}, []mlir.Type{LoweredType(TensorType{t.D, out})},
		mlir.Named{Name: "static_low", Value: mlir.Ints(lo)},
		mlir.Named{Name: "static_high", Value: mlir.Ints(hi)}, segments(1, 0, 0))
	block := op.AddRegion().AddBlock(repeat(mlir.Type(mlir.Index), len(dims))...)
	l.builder().In(block).Create("tensor.yield", []*mlir.Value{number}, nil, nil)
	return Lowered{op.Result(), t.D}
}

// Concat joins tensors of one type along a dimension.
func (l *Lowering) Concat(list []Lowered, dim int, out TensorType) Lowered {
	to := l.Empty(out.DType, out.Shape)
	at := 0
	for _, t := range list {
		if shape.Size(t.Shape()) == 0 {
			continue
		}
		t = l.Cast(t, out.DType)
		offsets := make([]int, len(out.Shape))
		offsets[dim] = at
		to = l.InsertSlice(t, to, offsets, ones(len(out.Shape)))
		at += t.Shape()[dim]
	}
	return to
}

// FromIndex computes each element of out from its indices (i64 values), with
// inputs available to body through [Scalars.At].
func (l *Lowering) FromIndex(out TensorType, body func(s *Scalars, index []Elem) Elem) Lowered {
	return l.Generic(repeat(Parallel, len(out.Shape)), nil,
		[]Operand{{l.Empty(out.DType, out.Shape), mlir.Identity(len(out.Shape))}},
		func(s *Scalars, x []Elem) []Elem {
			index := make([]Elem, len(out.Shape))
			for d := range index {
				index[d] = s.Index(d)
			}
			return []Elem{s.Cast(body(s, index), out.DType)}
		})[0]
}

// Contract returns the matrix product of a and b, both [m k]·[k n] or both with
// one leading batch dimension. Sums are kept in acc.
func (l *Lowering) Contract(a, b Lowered, acc dtype.DType) Lowered {
	sa, sb := a.Shape(), b.Shape()
	if len(sa) == 3 {
		to := l.Fill(acc, []int{sa[0], sa[1], sb[2]}, 0)
		return Lowered{linalg.BatchMatMul(l.builder(), a.V, b.V, to.V), acc}
	}
	to := l.Fill(acc, []int{sa[0], sb[1]}, 0)
	return Lowered{linalg.MatMul(l.builder(), a.V, b.V, to.V), acc}
}
