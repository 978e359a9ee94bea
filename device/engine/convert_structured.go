package engine

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// structured is a linalg operation in the one form that all of them have: loops,
// operands with indexing maps, and a body.
type structured struct {
	g         *graph
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

	node    *node
	loops   *loops
	order   []int // piece number to loop of the node; -1 if its extent is 1
	scalars *scalars
	loaded  map[int]int
	ports   map[portKey]int // inputs of the node by what they read
}

type operand struct {
	view
	m mlir.AffineMap
}

// portKey identifies an access, so that equal ones share a port.
type portKey struct {
	t       *tensor
	offset  int
	strides string
}

// infer finds the extents of the loops from the shapes of the operands.
func (s *structured) infer() bool {
	n := len(s.reduction)
	if s.extents == nil {
		s.extents = slices.Repeat([]int{-1}, n)
	}
	for _, o := range append(s.ins[:len(s.ins):len(s.ins)], s.outs...) {
		if o.m.Dims != n || o.m.Symbols != 0 || len(o.m.Results) != len(o.dims) {
			s.g.fail("indexing map of %d loops and %d results for a tensor of rank %d in %d loops",
				o.m.Dims, len(o.m.Results), len(o.dims), n)
			return false
		}
		for i, e := range o.m.Results {
			if e.Kind != mlir.AffineDim {
				continue
			}
			have, want := &s.extents[e.Value], o.dims[i].extent()
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
		for k, d := range in.dims {
			if len(d) <= 1 {
				continue
			}
			e := in.m.Results[k]
			if e.Kind != mlir.AffineDim || !s.loops.split(e.Value, d) {
				in.view = s.g.materialize(in.view)
				break
			}
		}
	}
	s.node = &node{kind: nodePointwise}
	for l, pieces := range s.loops.pieces {
		for _, e := range pieces {
			s.order = append(s.order, -1)
			if e != 1 && !s.reduction[l] {
				s.order[len(s.order)-1] = len(s.node.extents)
				s.node.extents = append(s.node.extents, e)
			}
		}
	}
	s.node.par = len(s.node.extents)
	at := 0
	for l, pieces := range s.loops.pieces {
		for _, e := range pieces {
			if e != 1 && s.reduction[l] {
				s.order[at] = len(s.node.extents)
				s.node.extents = append(s.node.extents, e)
			}
			at++
		}
	}
}

// linear gives the access of an operand over the loops of the node; it reports
// false if its map is not linear.
func (s *structured) linear(o operand) (access, bool) {
	pieces := make([]int, len(s.order))
	a := access{t: o.t, offset: o.offset, strides: make([]int, len(s.node.extents))}
	for i, e := range o.m.Results {
		coeffs, constant, ok := e.Linear(o.m.Dims)
		if !ok {
			return access{}, false
		}
		if len(o.dims[i]) == 1 {
			a.offset += constant * o.dims[i][0].stride
		}
		for l, c := range coeffs {
			if c != 0 {
				s.loops.along(pieces, l, o.dims[i], c)
			}
		}
	}
	for p, n := range s.order {
		if n >= 0 {
			a.strides[n] = pieces[p]
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
	s.loaded, s.ports = map[int]int{}, map[portKey]int{}
	s.scalars = &scalars{g: s.g, b: b, values: map[*mlir.Value]int{}, index: s.index,
		outer: s.outer, extract: s.extract}
	values, ok := s.body(s.scalars, s.arg)
	if !ok || s.g.err != nil {
		s.g.fail("body cannot be translated")
		return
	}
	s.node.body = b.Body()
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
		s.g.values[r] = s.outs[i].view
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
	if o.t.kind == kindSplat || o.t.kind == kindEmpty {
		return relabel(b, b.ConstBits(o.t.dtype, o.t.bits), o.dtype), true
	}
	if a, ok := s.linear(o); ok {
		return relabel(b, s.load(a), o.dtype), true
	}
	v := o.view
	for _, d := range v.dims {
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
func (s *structured) load(a access) int {
	return s.scalars.b.Load(s.port(a), a.t.dtype)
}

func (s *structured) port(a access) int {
	key := portKey{a.t, a.offset, string(appendInts(nil, a.strides))}
	if p, ok := s.ports[key]; ok {
		return p
	}
	s.node.ins = append(s.node.ins, a)
	s.ports[key] = len(s.node.ins) - 1
	return len(s.node.ins) - 1
}

func appendInts(dst []byte, list []int) []byte {
	for _, v := range list {
		for range 8 {
			dst = append(dst, byte(v))
			v >>= 8
		}
	}
	return dst
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
	if len(w.dims) != 0 {
		s.g.fail("a tensor is used as a scalar")
		return 0, false
	}
	return s.read(operand{w, mlir.AffineMap{Dims: len(s.extents)}})
}

// result makes the tensor of output i and its access. The map of an output is a
// permutation of the parallel loops, with zeros for extents of 1.
func (s *structured) result(i int) (output, view, bool) {
	o := s.outs[i]
	t := s.g.temp(o.dtype, o.shape())
	v := whole(t, o.shape())
	pieces := make([]int, len(s.order))
	covered := make([]bool, len(s.extents))
	for k, e := range o.m.Results {
		switch {
		case e.Kind == mlir.AffineDim && !s.reduction[e.Value] && !covered[e.Value]:
			covered[e.Value] = true
			s.loops.along(pieces, e.Value, v.dims[k], 1)
		case e.Kind == mlir.AffineConstant && e.Value == 0 && o.dims[k].extent() == 1:
		default:
			s.g.fail("the map of output %d is not a permutation of the parallel loops", i)
			return output{}, view{}, false
		}
	}
	for l, c := range covered {
		if !c && !s.reduction[l] && s.extents[l] != 1 {
			s.g.fail("output %d does not depend on parallel loop %d", i, l)
			return output{}, view{}, false
		}
	}
	out := output{access: access{t: t, strides: make([]int, s.node.par)}}
	for p, n := range s.order {
		if n >= 0 && n < s.node.par {
			out.strides[n] = pieces[p]
		}
	}
	return out, v, true
}

func (s *structured) buildPointwise(values []int) {
	var views []view
	for i := range s.outs {
		out, v, ok := s.result(i)
		if !ok {
			return
		}
		out.value = relabel(s.scalars.b, values[i], out.t.dtype)
		s.node.outs = append(s.node.outs, out)
		views = append(views, v)
	}
	s.node.body = s.scalars.b.Body()
	if v, ok := s.asView(); ok {
		s.g.values[s.results[0]] = v
		return
	}
	s.g.add(s.node)
	for i, r := range s.results {
		s.g.values[r] = views[i]
	}
}

// asView recognises an operation that only moves elements: broadcasts,
// transposes and slices are views, whatever operation says so.
func (s *structured) asView() (view, bool) {
	if len(s.node.outs) != 1 {
		return view{}, false
	}
	i := s.node.body[s.node.outs[0].value]
	o := s.outs[0]
	strided := func(stride func(piece int) int) []dim {
		dims := make([]dim, len(o.dims))
		for k, e := range o.m.Results {
			if e.Kind != mlir.AffineDim {
				continue
			}
			var d []factor
			at := s.loops.first(e.Value)
			for p, extent := range s.loops.pieces[e.Value] {
				if n := s.order[at+p]; n >= 0 {
					d = append(d, factor{extent, stride(n)})
				}
			}
			dims[k] = newDim(d...)
		}
		return dims
	}
	switch i.Op {
	case kernel.Const:
		v := splat(i.Type, i.Imm, nil)
		v.dims = strided(func(int) int { return 0 })
		return v, true
	case kernel.Load:
		a := s.node.ins[i.Port]
		v := view{t: a.t, dtype: i.Type, offset: a.offset}
		v.dims = strided(func(n int) int { return a.strides[n] })
		return v, true
	}
	return view{}, false
}
