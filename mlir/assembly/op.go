package assembly

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Op describes an operation.
type Op struct {
	Name     string // with its dialect
	Traits   mlir.Trait
	Operands string
	Results  string
	Attrs    string
	Regions  string // names; "body=scf.yield" has a terminator that may be left out
	Format   string
	// Rules are relations between operands and results, such as "elem(source, result)".
	Rules string
	// Parse and Print read and write the custom form where no format says it.
	Parse func(p *mlir.Parser, op *mlir.Operation)
	Print func(p *mlir.Printer, op *mlir.Operation)
	// Verify checks what the description does not say; it may be nil.
	Verify func(op *mlir.Operation) error
	// Parents, Refers, RefersTo and Agrees are the fields of [mlir.OpDef].
	Parents          []string
	Refers, RefersTo string
	Agrees           func(op, symbol *mlir.Operation) error
	// ResultName is the name that the printer suggests for the first result.
	ResultName string
	// Arg is the name that the printer suggests for arguments of the regions.
	Arg string
}

// Register makes a dialect of upstream with the described operations, and others that
// are defined by hand.
func Register(name string, ops []Op, others ...mlir.OpDef) {
	mlir.RegisterDialect(&mlir.Dialect{Name: name, Upstream: true, Ops: others, Define: func() []mlir.OpDef { return Defs(ops) }})
}

// Defs are the definitions of the described operations.
func Defs(ops []Op) (defs []mlir.OpDef) {
	for _, op := range ops {
		defs = append(defs, op.Def())
	}
	return defs
}

// group is a named list of operands or results.
type group struct {
	name           string
	many, optional bool
	typ            *typeExpr // nil if the format shows it
	class          *class    // nil for any type
	per            string    // the group that has as many values
}

func (g *group) fixed() bool { return !g.many && !g.optional }

// region is a named region.
type region struct {
	name, terminator string
	many             bool
}

// spec is an operation whose description was read.
type spec struct {
	op                Op
	operands, results []group
	attrs             []attr
	regions           []region
	rules             []rule
	format            []element
	shown             map[string]bool // attributes that the format shows
}

// Def returns the definition of the operation. A description that cannot be read is a
// mistake of the program.
func (op Op) Def() mlir.OpDef {
	s := &spec{op: op, shown: map[string]bool{}}
	s.operands, s.results = groups(op.Operands), groups(op.Results)
	for _, text := range fields(op.Attrs) {
		s.attrs = append(s.attrs, attrOf(text))
	}
	s.rules = rules(op.Rules)
	for _, text := range fields(op.Regions) {
		name, terminator, _ := strings.Cut(text, "=")
		s.regions = append(s.regions, region{strings.TrimSuffix(name, "*"), terminator, strings.HasSuffix(name, "*")})
	}
	def := mlir.OpDef{Name: op.Name, Traits: op.Traits, Operands: count(s.operands),
		Results: count(s.results), Regions: len(s.regions), Verify: s.verify,
		Parents: op.Parents, Refers: op.Refers, RefersTo: op.RefersTo, Agrees: op.Agrees, Parse: op.Parse, Print: op.Print}
	if len(s.regions) > 0 && s.regions[len(s.regions)-1].many {
		def.Regions = mlir.Variadic
	}
	if op.Format != "" {
		f := formatReader{spec: s, text: op.Format}
		s.format = f.elements(0)
		def.Parse, def.Print = s.parse, s.print
	}
	def.Properties = s.properties()
	if op.ResultName != "" {
		def.ResultName = func(_ *mlir.Operation, i int) string {
			if i == 0 {
				return op.ResultName
			}
			return ""
		}
	}
	if op.Arg != "" {
		def.ArgName = func(*mlir.Operation, *mlir.Value) string { return op.Arg }
	}
	return def
}

// properties are the attributes by name in order, and the groups that numbers of values do not tell apart.
func (s *spec) properties() []string {
	list := []string{}
	for i := range s.attrs {
		a := &s.attrs[i]
		name := a.name
		if a.optional || a.def != "" || a.kind == "unit" {
			name += "?"
		}
		list = append(list, name)
	}
	slices.Sort(list)
	if segmented(s.operands) {
		list = append(list, operandSegments+":"+strconv.Itoa(len(s.operands)))
	}
	if segmented(s.results) {
		list = append(list, resultSegments+":"+strconv.Itoa(len(s.results)))
	}
	return list
}

func count(list []group) int {
	for i := range list {
		if !list[i].fixed() {
			return mlir.Variadic
		}
	}
	return len(list)
}

// fields cuts a list at its commas, those in parentheses aside.
func fields(text string) []string {
	var list []string
	depth, start := 0, 0
	for i, c := range text + "," {
		switch {
		case c == '(' || c == '<':
			depth++
		case c == ')' || c == '>':
			depth--
		case c == ',' && depth == 0:
			if field := strings.TrimSpace(text[start:i]); field != "" {
				list = append(list, field)
			}
			start = i + 1
		}
	}
	return list
}

func groups(text string) []group {
	var list []group
	for _, field := range fields(text) {
		field, of, classed := strings.Cut(field, " is ")
		name, typ, typed := strings.Cut(field, ":")
		g := group{name: strings.TrimSpace(name)}
		if classed {
			g.class = classOf(strings.TrimSpace(of))
		}
		g.many = strings.HasSuffix(g.name, "*")
		g.optional = strings.HasSuffix(g.name, "?")
		g.name = strings.TrimRight(g.name, "*?")
		if typ, g.per, _ = strings.Cut(typ, " per "); typed {
			g.typ = typeExprOf(strings.TrimSpace(typ))
		}
		list = append(list, g)
	}
	return list
}

// find returns the position of a group, or -1.
func find(list []group, name string) int {
	return slices.IndexFunc(list, func(g group) bool { return g.name == name })
}

const (
	operandSegments = "operandSegmentSizes"
	resultSegments  = "resultSegmentSizes"
)

// segmented reports whether the number of values does not tell the groups apart.
func segmented(list []group) bool {
	open := 0
	for i := range list {
		if !list[i].fixed() {
			open++
		}
	}
	return open > 1
}

// split divides values into groups.
func split(list []group, values []*mlir.Value, sizes mlir.Attribute) (map[string][]*mlir.Value, error) {
	n := make([]int, len(list))
	if segmented(list) {
		given, ok := mlir.IntList(sizes)
		if !ok || len(given) != len(list) {
			return nil, fmt.Errorf("needs the numbers of values of its %d groups", len(list))
		}
		copy(n, given)
	} else {
		fixed := 0
		for i := range list {
			if list[i].fixed() {
				fixed++
				n[i] = 1
			}
		}
		for i := range list {
			if !list[i].fixed() {
				n[i] = len(values) - fixed
			}
		}
	}
	out := map[string][]*mlir.Value{}
	for i := range list {
		g := &list[i]
		if n[i] < 0 || n[i] > len(values) || g.fixed() && n[i] != 1 || g.optional && n[i] > 1 {
			return nil, fmt.Errorf("has a wrong number of values for %s", g.name)
		}
		out[g.name] = values[:n[i]]
		values = values[n[i]:]
	}
	if len(values) > 0 {
		return nil, fmt.Errorf("has %d values too many", len(values))
	}
	return out, nil
}

// verify checks the groups, their classes and the types that follow from others, the
// relations and the attributes.
func (s *spec) verify(op *mlir.Operation) error {
	w, err := s.view(op)
	if err != nil {
		return err
	}
	for _, list := range [][]group{s.operands, s.results} {
		for i := range list {
			g := &list[i]
			for _, v := range w.values[g.name] {
				if err := g.class.check(g.name, v.Type); err != nil {
					return err
				}
				if g.typ == nil {
					continue
				}
				want := g.typ.eval(w)
				if want != nil && !mlir.SameType(v.Type, want) {
					return fmt.Errorf("%s must be of type %s, not %s", g.name, want, v.Type)
				}
			}
		}
	}
	for _, r := range s.rules {
		if err := r.check(w); err != nil {
			return err
		}
	}
	for i := range s.attrs {
		if err := s.attrs[i].check(op.Attrs.Get(s.attrs[i].name)); err != nil {
			return err
		}
	}
	for _, e := range s.format {
		if d, ok := e.(*directive); ok && d.Check != nil {
			if err := d.Check(w, d.args); err != nil {
				return err
			}
		}
	}
	if s.op.Verify != nil {
		return s.op.Verify(op)
	}
	return nil
}
