package convert

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// structured is a linalg operation in the one form that all of them have: loops,
// operands with indexing maps, and a body.
type structured struct {
	g         *converter
	extents   []int
	reduction []bool
	ins, outs []operand
	// unread says which inputs only give the loops their extents, as the window of a pooling does.
	unread  []bool
	results []*mlir.Value
	// body gives the value of each output at one point: what is stored, or what
	// is folded. arg gives the element of operand i, inputs first.
	body func(s *scalars, arg func(i int) (int, bool)) ([]int, bool)
	// reduce says how each output folds; nil without reduction loops.
	reduce []fold

	// reordered is set once operands have been copied to make a contraction
	// possible, rebuilt once that has given the results.
	reordered, rebuilt bool

	graph.Inputs // of the node that is built
	loops        *loops
	order        []int // piece number to loop of the node; -1 if its extent is 1
	scalars      *scalars
	loaded       map[int]int
}

type operand struct {
	graph.View
	m mlir.AffineMap
}

// infer finds the extents of the loops from the shapes of the operands.
func (s *structured) infer() bool {
	n := len(s.reduction)
	if s.extents == nil {
		s.extents = slices.Repeat([]int{-1}, n)
	}
	for _, o := range append(s.ins[:len(s.ins):len(s.ins)], s.outs...) {
		if o.m.Dims != n || o.m.Symbols != 0 || len(o.m.Results) != len(o.Dims) {
			s.g.fail("indexing map of %d loops and %d results for a tensor of rank %d in %d loops",
				o.m.Dims, len(o.m.Results), len(o.Dims), n)
			return false
		}
		for i, e := range o.m.Results {
			if e.Kind != mlir.AffineDim {
				continue
			}
			have, want := &s.extents[e.Value], o.Dims[i].Extent()
			if *have >= 0 && *have != want {
				s.g.fail("loop %d has extent %d and %d", e.Value, *have, want)
				return false
			}
			*have = want
		}
	}
	for i, e := range s.extents {
		if e < 0 {
			s.g.fail("nothing gives the extent of loop %d", i)
			return false
		}
	}
	return true
}

// prepare splits the loops for every input; inputs that cannot be strided over
// the loops are copied.
func (s *structured) prepare() {
	s.loops = newLoops(s.extents)
	for i := range s.ins {
		in := &s.ins[i]
		if i < len(s.unread) && s.unread[i] {
			continue
		}
		for k, d := range in.Dims {
			if len(d) <= 1 {
				continue
			}
			e := in.m.Results[k]
			if e.Kind != mlir.AffineDim || !s.loops.split(e.Value, d) {
				in.View = s.g.materialize(in.View)
				break
			}
		}
	}
	s.Node = &graph.Node{Kind: graph.Pointwise}
	for l, pieces := range s.loops.pieces {
		for _, e := range pieces {
			s.order = append(s.order, -1)
			if e != 1 && !s.reduction[l] {
				s.order[len(s.order)-1] = len(s.Node.Extents)
				s.Node.Extents = append(s.Node.Extents, e)
			}
		}
	}
	s.Node.Par = len(s.Node.Extents)
	at := 0
	for l, pieces := range s.loops.pieces {
		for _, e := range pieces {
			if e != 1 && s.reduction[l] {
				s.order[at] = len(s.Node.Extents)
				s.Node.Extents = append(s.Node.Extents, e)
			}
			at++
		}
	}
}

// linear gives the access of an operand over the loops of the node; it reports
// false if its map is not linear.
func (s *structured) linear(o operand) (graph.Access, bool) {
	pieces := make([]int, len(s.order))
	a := graph.Access{Tensor: o.Tensor, Offset: o.Offset, Strides: make([]int, len(s.Node.Extents))}
	for i, e := range o.m.Results {
		if e.Kind == mlir.AffineDim && e.Value < o.m.Dims {
			s.loops.along(pieces, e.Value, o.Dims[i], 1)
			continue
		}
		coeffs, constant, ok := e.Linear(o.m.Dims)
		if !ok {
			return graph.Access{}, false
		}
		if len(o.Dims[i]) == 1 {
			a.Offset += constant * o.Dims[i][0].Stride
		}
		for l, c := range coeffs {
			if c != 0 {
				s.loops.along(pieces, l, o.Dims[i], c)
			}
		}
	}
	for p, n := range s.order {
		if n >= 0 {
			a.Strides[n] = pieces[p]
		}
	}
	return a, true
}

// build makes the node and binds the results.
func (s *structured) build() {
	if s.g.err != nil || !s.infer() {
		return
	}
	s.prepare()
	b := kernel.NewBody()
	s.loaded, s.Ports = map[int]int{}, nil
	s.scalars = &scalars{g: s.g, b: b, values: map[*mlir.Value]int{}, index: s.index,
		outer: s.outer, extract: s.extract}
	values, ok := s.body(s.scalars, s.arg)
	if !ok || s.g.err != nil {
		s.g.fail("body cannot be translated")
		return
	}
	s.Node.Body = b.Body()
	if s.empty() {
		s.bindEmpty()
		return
	}
	if s.reduce != nil {
		s.buildReduce(values)
		return
	}
	s.buildPointwise(values)
}

// empty reports whether there is nothing to compute or to fold.
func (s *structured) empty() bool { return slices.Contains(s.extents, 0) }

// bindEmpty gives the results of an operation without points: what they start from.
func (s *structured) bindEmpty() {
	for i, r := range s.results {
		s.g.values[r] = s.outs[i].View
	}
}

// arg gives the element of an operand at the current point.
func (s *structured) arg(i int) (int, bool) {
	if n, ok := s.loaded[i]; ok {
		return n, true
	}
	o := operand{}
	if i < len(s.ins) {
		o = s.ins[i]
	} else {
		o = s.outs[i-len(s.ins)]
	}
	n, ok := s.read(o)
	if ok {
		s.loaded[i] = n
	}
	return n, ok
}

func (s *structured) read(o operand) (int, bool) {
	b := s.scalars.b
	if o.Tensor.Kind == graph.Uniform || o.Tensor.Kind == graph.Empty {
		return relabel(b, b.ConstBits(o.Tensor.DType, o.Tensor.Bits), o.DType), true
	}
	if a, ok := s.linear(o); ok {
		return relabel(b, s.load(a), o.DType), true
	}
	v := o.View
	for _, d := range v.Dims {
		if len(d) > 1 {
			v = s.g.materialize(v)
			break
		}
	}
	index := make([]int, len(o.m.Results))
	for i, e := range o.m.Results {
		index[i] = affineValue(b, e, func(d *mlir.AffineExpr) int {
			n, _ := s.index(d.Value)
			return n
		})
	}
	return s.gather(v, index), true
}

// load reads an access.
func (s *structured) load(a graph.Access) int {
	return s.scalars.b.Load(s.Port(a), a.Tensor.DType)
}

// index gives the value of loop l of the operation.
func (s *structured) index(l int) (int, bool) {
	if l < 0 || l >= len(s.extents) {
		return 0, false
	}
	b := s.scalars.b
	at := s.loops.first(l)
	sum := b.Const(dtype.I64, 0)
	for k, e := range s.loops.pieces[l] {
		sum = b.Binary(kernel.Mul, sum, b.Const(dtype.I64, float64(e)))
		if k == 0 {
			sum = b.Const(dtype.I64, 0)
		}
		if n := s.order[at+k]; n >= 0 {
			sum = b.Binary(kernel.Add, sum, b.Index(n))
		}
	}
	return sum, true
}

// outer gives the value of a scalar from outside the body.
func (s *structured) outer(v *mlir.Value) (int, bool) {
	w, ok := s.g.value(v)
	if !ok {
		return 0, false
	}
	if len(w.Dims) != 0 {
		s.g.fail("a tensor is used as a scalar")
		return 0, false
	}
	return s.read(operand{w, mlir.AffineMap{Dims: len(s.extents)}})
}

// result makes the tensor of output i and its access. The map of an output is a
// permutation of the parallel loops, with zeros for extents of 1.
func (s *structured) result(i int) (graph.Output, graph.View, bool) {
	o := s.outs[i]
	t := graph.NewTensor(o.DType, o.Shape())
	v := graph.Whole(t, o.Shape())
	pieces := make([]int, len(s.order))
	covered := make([]bool, len(s.extents))
	for k, e := range o.m.Results {
		switch {
		case e.Kind == mlir.AffineDim && !s.reduction[e.Value] && !covered[e.Value]:
			covered[e.Value] = true
			s.loops.along(pieces, e.Value, v.Dims[k], 1)
		case e.Kind == mlir.AffineConstant && e.Value == 0 && o.Dims[k].Extent() == 1:
		default:
			s.g.fail("the map of output %d is not a permutation of the parallel loops", i)
			return graph.Output{}, graph.View{}, false
		}
	}
	for l, c := range covered {
		if !c && !s.reduction[l] && s.extents[l] != 1 {
			s.g.fail("output %d does not depend on parallel loop %d", i, l)
			return graph.Output{}, graph.View{}, false
		}
	}
	out := graph.Output{Access: graph.Access{Tensor: t, Strides: make([]int, s.Node.Par)}}
	for p, n := range s.order {
		if n >= 0 && n < s.Node.Par {
			out.Strides[n] = pieces[p]
		}
	}
	return out, v, true
}

func (s *structured) buildPointwise(values []int) {
	var views []graph.View
	for i := range s.outs {
		out, v, ok := s.result(i)
		if !ok {
			return
		}
		out.Value = relabel(s.scalars.b, values[i], out.Tensor.DType)
		s.Node.Outs = append(s.Node.Outs, out)
		views = append(views, v)
	}
	s.Node.Body = s.scalars.b.Body()
	if v, ok := s.asView(); ok {
		s.g.values[s.results[0]] = v
		return
	}
	s.g.add(s.Node)
	for i, r := range s.results {
		s.g.values[r] = views[i]
	}
}

// asView recognises an operation that only moves elements: broadcasts,
// transposes and slices are views, whatever operation says so.
func (s *structured) asView() (graph.View, bool) {
	if len(s.Node.Outs) != 1 {
		return graph.View{}, false
	}
	i := s.Node.Body[s.Node.Outs[0].Value]
	o := s.outs[0]
	strided := func(stride func(piece int) int) []graph.Dim {
		dims := make([]graph.Dim, len(o.Dims))
		for k, e := range o.m.Results {
			if e.Kind != mlir.AffineDim {
				continue
			}
			var d []graph.Factor
			at := s.loops.first(e.Value)
			for p, extent := range s.loops.pieces[e.Value] {
				if n := s.order[at+p]; n >= 0 {
					d = append(d, graph.Factor{Extent: extent, Stride: stride(n)})
				}
			}
			dims[k] = graph.NewDim(d...)
		}
		return dims
	}
	switch i.Op {
	case kernel.Const:
		v := graph.Splat(i.Type, i.Imm, nil)
		v.Dims = strided(func(int) int { return 0 })
		return v, true
	case kernel.Load:
		a := s.Node.Ins[i.Port]
		v := graph.View{Tensor: a.Tensor, DType: i.Type, Offset: a.Offset}
		v.Dims = strided(func(n int) int { return a.Strides[n] })
		return v, true
	}
	return graph.View{}, false
}
