package assembly

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Reader is an operation that is being read.
type Reader struct {
	*mlir.Parser
	Op    *mlir.Operation
	spec  *spec
	refs  map[string][]mlir.Ref
	types map[string][]mlir.Type
}

func (s *spec) parse(p *mlir.Parser, op *mlir.Operation) {
	r := &Reader{Parser: p, Op: op, spec: s, refs: map[string][]mlir.Ref{}, types: map[string][]mlir.Type{}}
	for _, e := range s.format {
		if p.Failed() {
			return
		}
		e.parse(r)
	}
	for len(op.Regions) < len(s.regions) && !s.regions[len(op.Regions)].many {
		op.AddRegion()
	}
	if !p.Failed() {
		r.finish()
	}
}

// SetOperands notes the values of a group.
func (r *Reader) SetOperands(name string, refs []mlir.Ref) { r.refs[name] = refs }

// SetTypes notes the types of a group of operands or results.
func (r *Reader) SetTypes(name string, types []mlir.Type) { r.types[name] = types }

// SetAttr sets an attribute.
func (r *Reader) SetAttr(name string, a mlir.Attribute) {
	r.Op.Attrs = append(r.Op.Attrs, mlir.Named{Name: name, Value: a})
}

func (r *Reader) typeOf(name string) mlir.Type {
	if types := r.types[name]; len(types) > 0 {
		return types[0]
	}
	for _, list := range [][]group{r.spec.operands, r.spec.results} {
		if i := find(list, name); i >= 0 && list[i].typ != nil && list[i].typ.arg != name {
			return list[i].typ.eval(r)
		}
	}
	return nil
}

func (r *Reader) attrOf(name string) mlir.Attribute { return r.Op.Attrs.Get(name) }

// finish resolves the operands and makes the results.
func (r *Reader) finish() {
	op := r.Op
	var sizes []int64
	for i := range r.spec.operands {
		g := &r.spec.operands[i]
		refs := r.refs[g.name]
		types := r.typesOf(g, len(refs))
		if len(types) != len(refs) || g.fixed() && len(refs) != 1 {
			r.ErrorAt(op.Loc, "%d values, but %d types for %s of %s", len(refs), len(types), g.name, op.Name)
			return
		}
		op.Operands = append(op.Operands, r.ResolveAll(refs, types)...)
		sizes = append(sizes, int64(len(refs)))
	}
	if segmented(r.spec.operands) {
		r.SetAttr(operandSegments, mlir.DenseArrayAttr{Elem: mlir.I32, Ints: sizes})
	}
	var results []mlir.Type
	sizes = nil
	for i := range r.spec.results {
		g := &r.spec.results[i]
		types := r.types[g.name]
		if types == nil && g.fixed() {
			if types = r.typesOf(g, 1); len(types) != 1 {
				r.ErrorAt(op.Loc, "the type of %s of %s is not known", g.name, op.Name)
				return
			}
		}
		if g.per != "" {
			types = r.typesOf(g, len(r.refs[g.per]))
		}
		results = append(results, types...)
		sizes = append(sizes, int64(len(types)))
	}
	if segmented(r.spec.results) {
		r.SetAttr(resultSegments, mlir.DenseArrayAttr{Elem: mlir.I32, Ints: sizes})
	}
	op.SetResults(results...)
}

// typesOf returns the types of n values of a group.
func (r *Reader) typesOf(g *group, n int) []mlir.Type {
	if types, ok := r.types[g.name]; ok || g.typ == nil {
		return types
	}
	t := g.typ.eval(r)
	if t == nil {
		return nil
	}
	return slices.Repeat([]mlir.Type{t}, n)
}

func (e literal) parse(r *Reader)     { r.Expect(e.text) }
func (e literal) next(r *Reader) bool { return r.Next(e.text) }
func (e space) parse(*Reader)         {}
func (e space) next(*Reader) bool     { return false }

func (e reference) parse(r *Reader) {
	switch i := find(r.spec.operands, e.name); {
	case e.name == "operands":
		r.all()
	case i >= 0:
		g := &r.spec.operands[i]
		switch {
		case g.many:
			r.refs[e.name] = r.Operands()
		case !g.optional || r.NextOperand():
			r.refs[e.name] = []mlir.Ref{r.Operand()}
		}
	case r.spec.attr(e.name) != nil:
		if a := r.spec.attr(e.name); a.kind == "unit" || !a.optional || a.next(r.Parser) {
			r.SetAttr(e.name, a.parse(r.Parser))
		}
	default:
		r.region(e.name)
	}
}

// all reads the operands of all groups, each of one value but the last.
func (r *Reader) all() {
	refs := r.Operands()
	for i := range r.spec.operands {
		g := &r.spec.operands[i]
		n := min(1, len(refs))
		if g.many {
			n = len(refs)
		}
		r.refs[g.name], refs = refs[:n], refs[n:]
	}
	if len(refs) > 0 {
		r.Errorf("%s takes fewer operands", r.Op.Name)
	}
}

// region reads a region; the terminator may be left out where the description says so.
func (r *Reader) region(name string) {
	i := slices.IndexFunc(r.spec.regions, func(g region) bool { return g.name == name })
	g := r.spec.regions[i]
	for {
		EnsureTerminator(r.Region(r.Op, nil), g.terminator, r.Op.Loc)
		if !g.many || !r.Accept(",") {
			return
		}
	}
}

// EnsureTerminator gives the last block of a region the operation that its text may
// leave out.
func EnsureTerminator(region *mlir.Region, name string, loc mlir.Location) {
	if name == "" {
		return
	}
	if len(region.Blocks) == 0 {
		region.AddBlock()
	}
	last := region.Blocks[len(region.Blocks)-1]
	if t := last.Terminator(); t == nil || !t.Def().Has(mlir.Terminator) {
		end := mlir.NewOp(name, nil, nil, nil)
		end.Loc = loc
		last.Append(end)
	}
}

func (e reference) next(r *Reader) bool {
	if a := r.spec.attr(e.name); a != nil {
		return a.next(r.Parser)
	}
	if find(r.spec.operands, e.name) >= 0 || e.name == "operands" {
		return r.NextOperand()
	}
	return r.Next("{")
}

func (e typeOf) parse(r *Reader) {
	list := r.spec.operands
	i := find(list, e.name)
	if i < 0 {
		list = r.spec.results
		i = find(list, e.name)
	}
	switch {
	case e.name == "operands":
		r.setTypes(r.spec.operands, r.typeList(), func(g *group) int { return len(r.refs[g.name]) })
	case e.name == "results":
		r.setTypes(r.spec.results, r.typeList(), nil)
	case list[i].many:
		if r.NextType() {
			r.types[e.name] = r.typeList()
		} else {
			r.types[e.name] = []mlir.Type{}
		}
	case !list[i].optional || r.NextType():
		r.types[e.name] = []mlir.Type{r.Type()}
	}
}

func (r *Reader) typeList() []mlir.Type {
	if !r.NextType() {
		return nil
	}
	return r.TypeList()
}

// setTypes deals types out to groups: as many as count says, else one to each, and what
// is left to the group of many.
func (r *Reader) setTypes(list []group, types []mlir.Type, count func(*group) int) {
	fixed := 0
	for i := range list {
		if list[i].fixed() {
			fixed++
		}
	}
	open := len(types) - fixed
	for i := range list {
		n := 1
		switch {
		case count != nil:
			n = count(&list[i])
		case !list[i].fixed():
			n = max(0, open)
			open = 0
		}
		if n > len(types) {
			r.Errorf("%s needs more types", r.Op.Name)
			return
		}
		r.types[list[i].name], types = types[:n], types[n:]
	}
	if len(types) > 0 {
		r.Errorf("%s needs fewer types", r.Op.Name)
	}
}

func (e typeOf) next(r *Reader) bool { return r.NextType() }

func (e attrDict) parse(r *Reader) {
	if e.keyword {
		r.Op.Attrs = append(r.Op.Attrs, r.AttrDictWithKeyword()...)
		return
	}
	r.Op.Attrs = append(r.Op.Attrs, r.AttrDict()...)
}

func (e attrDict) next(r *Reader) bool { return r.Next("{") || r.Next("attributes") }

func (e functional) parse(r *Reader) {
	t := r.FunctionType()
	if e.in == "operands" {
		r.setTypes(r.spec.operands, t.Inputs, func(g *group) int { return len(r.refs[g.name]) })
	} else {
		r.types[e.in] = t.Inputs
	}
	if e.out == "results" {
		r.setTypes(r.spec.results, t.Results, nil)
	} else {
		r.types[e.out] = t.Results
	}
}

func (e functional) next(r *Reader) bool { return r.Next("(") }

func (e *optional) parse(r *Reader) {
	list := e.elements
	if !e.next(r) {
		list = e.otherwise
	}
	for _, inner := range list {
		if r.Failed() {
			return
		}
		inner.parse(r)
	}
}

func (e *optional) next(r *Reader) bool {
	for _, inner := range e.elements {
		if _, blank := inner.(space); !blank {
			return inner.next(r)
		}
	}
	return false
}

func (e *directive) parse(r *Reader) { e.Parse(r, e.args) }

func (e *directive) next(r *Reader) bool { return e.Next != nil && e.Next(r) }
