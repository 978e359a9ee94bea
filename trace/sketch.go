package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Sketch is the structure of a graph without its values: what two programs are compared
// by. It keeps nothing of what the graph was collected from.
type Sketch struct {
	sites    []*site  // of the calls
	operands []uint64 // of the calls, one after another: positions, see [collector.position]
	leaves   []leafSketch
	roots    []uint64
}

// leafSketch is a leaf of a sketch.
type leafSketch struct {
	typ       ops.TensorType
	constant  bool
	dynamic   []Dynamic
	signature ops.Hash // of all this
}

// dropped is the position of an operand that a call has dropped, since another graph with the call has run.
const dropped = math.MaxUint64

// Sketch returns the structure of the graph, which must not have been used up by [Graph.Done].
func (g *Graph) Sketch() *Sketch {
	collecting.Lock()
	defer collecting.Unlock()
	operands := 0
	for _, n := range g.Nodes {
		operands += len(n.site.operands)
	}
	s := &Sketch{sites: make([]*site, 0, len(g.Nodes)), operands: make([]uint64, 0, operands),
		leaves: make([]leafSketch, 0, len(g.Leaves)), roots: make([]uint64, 0, len(g.Roots))}
	at := make(map[Edge]uint64, len(g.Leaves))
	for i, e := range g.Leaves {
		at[e] = uint64(i) << 1
		s.leaves = append(s.leaves, leafSketch{e.Node.Types()[e.Result], e.Node.constant, e.Node.Dynamic(),
			e.Node.Signature(e.Result, ops.Hash{})})
	}
	number := make(map[*Node]uint64, len(g.Nodes))
	for i, n := range g.Nodes {
		number[n] = uint64(i)<<1 | 1
	}
	position := func(e Edge) uint64 {
		if p, ok := number[e.Node]; ok {
			return p | uint64(e.Result)<<40
		}
		return at[e]
	}
	for _, n := range g.Nodes {
		s.sites = append(s.sites, n.site)
		for i := range n.site.operands {
			p := uint64(dropped)
			if i < len(n.operands()) {
				p = position(n.operand(i))
			}
			s.operands = append(s.operands, p)
		}
	}
	for _, e := range g.Roots {
		s.roots = append(s.roots, position(e))
	}
	return s
}

// Calls returns the number of calls.
func (s *Sketch) Calls() int { return len(s.sites) }

// Call returns the operator of a call and where it was recorded.
func (s *Sketch) Call(i int) (op string, at mlir.Location) {
	n := Node{site: s.sites[i]}
	return n.site.call.Op.Name(), n.Location()
}

// Input returns the type of an input, and the first call that takes it with where it was recorded; ok is false if there
// is no such input.
func (s *Sketch) Input(i int) (t ops.TensorType, op, where string, ok bool) {
	if i < 0 || i >= len(s.leaves) {
		return ops.TensorType{}, "", "", false
	}
	op, where = s.user(uint64(i) << 1)
	return s.leaves[i].typ, op, where, true
}

// Difference is how one graph differs from another.
type Difference struct {
	// Kind is "shape", "dtype", "scalar", "attribute", "operator", "operands", "extra call",
	// "missing call", "results", "constant", or "dynamic".
	Kind string `json:"kind"`
	// Op and Where name the first call that differs, Was the other graph's call.
	Op       string `json:"op,omitempty"`
	Where    string `json:"where,omitempty"`
	WasOp    string `json:"was_op,omitempty"`
	WasWhere string `json:"was_where,omitempty"`
	// The difference: an argument or an input, and its two values.
	What string `json:"what"`
	Now  string `json:"now"`
	Was  string `json:"was"`
}

// Same returns how many calls two sketches have in common, from the front.
func (s *Sketch) Same(t *Sketch) int {
	a, b := 0, 0
	for i := range min(len(s.sites), len(t.sites)) {
		x, y := s.sites[i], t.sites[i]
		na, nb := len(x.operands), len(y.operands)
		if !x.alike(y) || !slices.Equal(x.types, y.types) ||
			!slices.Equal(s.operands[a:a+na], t.operands[b:b+nb]) {
			return i
		}
		a, b = a+na, b+nb
	}
	return min(len(s.sites), len(t.sites))
}

// Differ returns the cause of the first difference to another sketch, or nil if there is none. A shape
// that differs is traced back to the input that it comes from.
func (s *Sketch) Differ(t *Sketch) *Difference {
	if d := s.differLeaves(t); d != nil {
		return d
	}
	i := s.Same(t)
	switch {
	case i < len(s.sites) && i < len(t.sites):
		return s.differAt(t, i)
	case i < len(s.sites):
		op, at := s.Call(i)
		return &Difference{Kind: "extra call", Op: op, Where: at.Short(), What: "the number of calls",
			Now: fmt.Sprint(len(s.sites)), Was: fmt.Sprint(len(t.sites))}
	case i < len(t.sites):
		op, at := t.Call(i)
		return &Difference{Kind: "missing call", WasOp: op, WasWhere: at.Short(), What: "the number of calls",
			Now: fmt.Sprint(len(s.sites)), Was: fmt.Sprint(len(t.sites))}
	case !slices.Equal(s.roots, t.roots):
		return &Difference{Kind: "results", What: "which values are computed",
			Now: s.results(), Was: t.results()}
	}
	return nil
}

// differLeaves compares the inputs, if the graphs have the same calls on them.
func (s *Sketch) differLeaves(t *Sketch) *Difference {
	if len(s.leaves) != len(t.leaves) {
		return nil
	}
	for i := range s.leaves {
		x, y := &s.leaves[i], &t.leaves[i]
		d := &Difference{What: fmt.Sprintf("input %d", i), Now: typeText(x.typ), Was: typeText(y.typ)}
		d.Op, d.Where = s.user(uint64(i) << 1)
		d.WasOp, d.WasWhere = t.user(uint64(i) << 1)
		switch {
		case x.typ.DType != y.typ.DType:
			d.Kind = "dtype"
		case !slices.Equal(x.typ.Shape, y.typ.Shape):
			d.Kind = "shape"
		case x.constant != y.constant:
			d.Kind, d.Now, d.Was = "constant", frozen(x.constant), frozen(y.constant)
		case x.signature != y.signature:
			d.Kind, d.Now, d.Was = "dynamic", dynamicText(x.dynamic), dynamicText(y.dynamic)
		default:
			continue
		}
		if d.Op == d.WasOp { // else the graphs have little in common
			return d
		}
		return nil
	}
	return nil
}

func typeText(t ops.TensorType) string { return t.DType.String() + shape.String(t.Shape) }

func isNumber(a *ops.Arg) bool {
	return a.Kind == ops.KindInt || a.Kind == ops.KindFloat || a.Kind == ops.KindComplex
}

// argText prints an attribute.
func argText(a *ops.Arg) string {
	switch a.Kind {
	case ops.KindNone:
		return "none"
	case ops.KindInt:
		return strconv.Itoa(a.Int())
	case ops.KindFloat:
		return strconv.FormatFloat(a.Float(), 'g', -1, 64)
	case ops.KindBool:
		return strconv.FormatBool(a.Bool())
	case ops.KindComplex:
		return fmt.Sprint(a.Complex())
	case ops.KindInts:
		return fmt.Sprint(a.Ints())
	case ops.KindFloats:
		return fmt.Sprint(a.Floats())
	case ops.KindBools:
		return fmt.Sprint(a.Bools())
	case ops.KindDType:
		return a.DType().String()
	case ops.KindString:
		return strconv.Quote(a.Text())
	}
	return "?"
}

// dynamicText prints the dynamic dimensions of an input.
func dynamicText(list []Dynamic) string {
	if len(list) == 0 {
		return "no dynamic dimension"
	}
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("dimension %d in buckets %v", d.Dim, d.Buckets))
	}
	return strings.Join(parts, ", ")
}

func frozen(constant bool) string {
	if constant {
		return "frozen"
	}
	return "not frozen"
}

// user returns the first call that takes a value.
func (s *Sketch) user(position uint64) (op, where string) {
	at := 0
	for i, site := range s.sites {
		for range site.operands {
			if s.operands[at] == position {
				op, l := s.Call(i)
				return op, l.Short()
			}
			at++
		}
	}
	return "", ""
}

// differAt compares two calls that are not the same.
func (s *Sketch) differAt(t *Sketch, i int) *Difference {
	x, y := s.sites[i], t.sites[i]
	d := &Difference{}
	op, at := s.Call(i)
	was, wasAt := t.Call(i)
	d.Op, d.Where, d.WasOp, d.WasWhere = op, at.Short(), was, wasAt.Short()
	if x.call.Op != y.call.Op {
		d.Kind, d.What, d.Now, d.Was = "operator", "the operator", op, was
		return d
	}
	for k := range min(len(x.call.Args), len(y.call.Args)) {
		a, b := &x.call.Args[k], &y.call.Args[k]
		if a.Kind == ops.KindTensor || a.Kind == ops.KindTensors || a.Hash(ops.Hash{}) == b.Hash(ops.Hash{}) ||
			x.varyingArg(k) && y.varyingArg(k) {
			continue
		}
		return s.differArg(t, i, k)
	}
	for k := range x.operands {
		if k < len(y.operands) && typeText(x.operands[k].typ) != typeText(y.operands[k].typ) {
			d.Kind, d.What = "shape", fmt.Sprintf("operand %d", k)
			d.Now, d.Was = typeText(x.operands[k].typ), typeText(y.operands[k].typ)
			if x.operands[k].typ.DType != y.operands[k].typ.DType {
				d.Kind = "dtype"
			}
			return d
		}
	}
	d.Kind, d.What = "operands", "which values the call takes"
	d.Now, d.Was = s.operandsOf(i), t.operandsOf(i)
	return d
}

// differArg compares an argument of two calls of one operator.
func (s *Sketch) differArg(t *Sketch, i, k int) *Difference {
	d := &Difference{Kind: "attribute", What: "argument " + s.sites[i].call.Op.Parsed().Params[k].Name}
	op, at := s.Call(i)
	was, wasAt := t.Call(i)
	d.Op, d.Where, d.WasOp, d.WasWhere = op, at.Short(), was, wasAt.Short()
	a, b := &s.sites[i].call.Args[k], &t.sites[i].call.Args[k]
	d.Now, d.Was = argText(a), argText(b)
	if isNumber(a) && isNumber(b) {
		d.Kind = "scalar"
	}
	return d
}

// operandsOf names the operands of a call.
func (s *Sketch) operandsOf(i int) string {
	at := 0
	for _, site := range s.sites[:i] {
		at += len(site.operands)
	}
	return s.names(s.operands[at : at+len(s.sites[i].operands)])
}

func (s *Sketch) results() string { return s.names(s.roots) }

// names names values by their calls, or as inputs.
func (s *Sketch) names(positions []uint64) string {
	const most = 4
	var parts []string
	for k, p := range positions {
		if k == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(positions)-most))
			break
		}
		if number := int(p & (1<<40 - 1) >> 1); p&1 == 0 {
			parts = append(parts, fmt.Sprintf("input %d", number))
		} else {
			op, at := s.Call(number)
			parts = append(parts, strings.TrimSpace(op+" "+at.Short()))
		}
	}
	return strings.Join(parts, ", ")
}

// Likeness returns the share of the calls that two sketches have in common, in the order
// of both: those from the front and those from the back, by operator.
func (s *Sketch) Likeness(t *Sketch) float64 {
	n := min(len(s.sites), len(t.sites))
	front, back := 0, 0
	for front < n && s.sites[front].call.Op == t.sites[front].call.Op {
		front++
	}
	for back < n-front && s.sites[len(s.sites)-1-back].call.Op == t.sites[len(t.sites)-1-back].call.Op {
		back++
	}
	exact := s.Same(t) // breaks ties
	longest := max(len(s.sites), len(t.sites), 1)
	return (float64(front+back) + float64(exact)/float64(longest+1)) / float64(longest)
}
