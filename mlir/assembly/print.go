package assembly

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Writer is an operation that is being written.
type Writer struct {
	*mlir.Printer
	Op     *mlir.Operation
	spec   *spec
	values map[string][]*mlir.Value // operands and results by group

	punctuated bool // the last literal was punctuation
	spaced     bool // a space goes in front of what comes next
}

// view divides the operands and results of op into groups.
func (s *spec) view(op *mlir.Operation) (*Writer, error) {
	w := &Writer{Op: op, spec: s}
	values, err := split(s.operands, op.Operands, op.Attrs.Get(operandSegments))
	if err != nil {
		return nil, err
	}
	results, err := split(s.results, op.Results, op.Attrs.Get(resultSegments))
	if err != nil {
		return nil, err
	}
	for name, list := range results {
		values[name] = list
	}
	w.values = values
	return w, nil
}

func (s *spec) print(p *mlir.Printer, op *mlir.Operation) {
	w, _ := s.view(op) // the operation fits its definition, or it prints in generic form
	w.Printer, w.spaced = p, true
	for _, e := range s.format {
		e.print(w)
	}
}

// Values returns the values of a group.
func (w *Writer) Values(name string) []*mlir.Value { return w.values[name] }

func (w *Writer) typeOf(name string) mlir.Type {
	if list := w.values[name]; len(list) > 0 {
		return list[0].Type
	}
	return nil
}

func (w *Writer) attrOf(name string) mlir.Attribute { return w.Op.Attrs.Get(name) }

// gap writes the space before something that is no literal.
func (w *Writer) gap() {
	if w.spaced || !w.punctuated {
		w.Text(" ")
	}
	w.spaced, w.punctuated = true, false
}

func (e literal) print(w *Writer) {
	first := e.text[:1]
	tight := "<>(){}[],"
	if w.punctuated {
		tight = ">)}],"
	}
	if w.spaced && (len(e.text) > 1 && e.text != "->" || !strings.Contains(tight, first) || e.text == "->") {
		w.Text(" ")
	}
	w.Text(e.text)
	w.spaced = len(e.text) != 1 || !strings.Contains("<({[", first)
	w.punctuated = first != "_" && !isAlnum(first[0])
}

func (e literal) present(*Writer) bool { return true }

func (e space) print(w *Writer) {
	w.Text(e.text)
	w.spaced, w.punctuated = false, true
}

func (e space) present(*Writer) bool { return true }

func (e reference) print(w *Writer) {
	switch a := w.spec.attr(e.name); {
	case e.name == "operands":
		w.gap()
		w.Printer.Values(w.Op.Operands)
	case find(w.spec.operands, e.name) >= 0:
		w.gap()
		w.Printer.Values(w.values[e.name])
	case a != nil:
		if v := w.Op.Attrs.Get(e.name); v != nil && a.kind != "unit" {
			w.gap()
			a.print(w.Printer, v)
		}
	default:
		w.gap()
		w.region(e.name)
	}
}

func (w *Writer) region(name string) {
	i := slices.IndexFunc(w.spec.regions, func(g region) bool { return g.name == name })
	g := w.spec.regions[i]
	for k, r := range w.Op.Regions[i:] {
		if k > 0 {
			if !g.many {
				return
			}
			w.Text(", ")
		}
		w.Printer.Region(r, true, !implicit(r, g.terminator))
	}
}

// implicit reports whether a region ends with the terminator that goes without saying.
func implicit(r *mlir.Region, terminator string) bool {
	if terminator == "" || len(r.Blocks) != 1 {
		return false
	}
	t := r.Blocks[0].Terminator()
	return t != nil && t.Name == terminator && len(t.Operands) == 0 && len(t.Attrs) == 0
}

func (e reference) present(w *Writer) bool {
	if a := w.spec.attr(e.name); a != nil {
		v := w.Op.Attrs.Get(e.name)
		return v != nil && !a.isDefault(v)
	}
	if find(w.spec.operands, e.name) >= 0 {
		return len(w.values[e.name]) > 0
	}
	if e.name == "operands" {
		return len(w.Op.Operands) > 0
	}
	i := slices.IndexFunc(w.spec.regions, func(g region) bool { return g.name == e.name })
	return i < len(w.Op.Regions) && len(w.Op.Regions[i].Blocks) > 0
}

func (e typeOf) list(w *Writer) []*mlir.Value {
	switch e.name {
	case "operands":
		return w.Op.Operands
	case "results":
		return w.Op.Results
	}
	return w.values[e.name]
}

func (e typeOf) print(w *Writer) {
	w.gap()
	w.TypesOf(e.list(w))
}

func (e typeOf) present(w *Writer) bool { return len(e.list(w)) > 0 }

func (e attrDict) print(w *Writer) {
	var rest mlir.Attrs
	for _, n := range w.Op.Attrs {
		if n.Name == operandSegments || n.Name == resultSegments || w.spec.shown[n.Name] {
			continue
		}
		if a := w.spec.attr(n.Name); a != nil && a.isDefault(n.Value) {
			continue
		}
		rest = append(rest, n)
	}
	if len(rest) == 0 {
		return
	}
	if e.keyword {
		w.Text(" attributes")
	}
	w.OptionalAttrs(rest)
	w.spaced, w.punctuated = true, false
}

func (e attrDict) present(*Writer) bool { return true }

func (e functional) print(w *Writer) {
	w.gap()
	w.Type(mlir.FunctionType{Inputs: mlir.TypesOf(typeOf{e.in}.list(w)), Results: mlir.TypesOf(typeOf{e.out}.list(w))})
}

func (e functional) present(*Writer) bool { return true }

func (e *optional) print(w *Writer) {
	list := e.elements
	if !list[e.anchor].present(w) {
		list = e.otherwise
	}
	for _, inner := range list {
		inner.print(w)
	}
}

func (e *optional) present(w *Writer) bool { return e.elements[e.anchor].present(w) }

func (e *directive) print(w *Writer) {
	w.gap()
	e.Print(w, e.args)
}

// present: a directive is there if a group or attribute that it shows is.
func (e *directive) present(w *Writer) bool {
	for _, name := range e.args {
		name = strings.TrimPrefix(name, "type:")
		if len(w.values[name]) > 0 {
			return true
		}
		switch a := w.Op.Attrs.Get(name).(type) {
		case nil:
		case mlir.DenseArrayAttr:
			if len(a.Ints) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}
