package explorer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Model is the program as it was recorded or imported: the part "model".
type Model struct {
	Name    string   `json:"name"`
	Note    string   `json:"note,omitempty"`
	Device  string   `json:"device"`
	Machine string   `json:"machine,omitempty"` // of an array
	Parts   []string `json:"parts"`
	Stages  []string `json:"stages"`
	Calls   []Call   `json:"calls"`
	Inputs  []Input  `json:"inputs"`
	Outputs []int    `json:"outputs"` // the calls that make results
	// Sources are the lines of programs that calls come from, with some around them, by file.
	Sources map[string]map[int]string `json:"sources,omitempty"`
}

// Call is a call of the program, an operation. Calls are numbered from 1.
type Call struct {
	ID       int      `json:"id"`
	Op       string   `json:"op"`
	Types    []string `json:"types"` // of the results
	Name     string   `json:"name,omitempty"`
	Path     []string `json:"path,omitempty"` // the layers that it is in, outermost first
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	In       []int    `json:"in,omitempty"`       // the calls whose results it takes
	Operands []string `json:"operands,omitempty"` // as they stand in the text
	Options  []string `json:"options,omitempty"`
}

// Input is an argument of the program that is not a weight.
type Input struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Users []int  `json:"users"`
}

// newModel numbers the calls of the module and describes them.
func (e *Explorer) newModel() *Model {
	m := &Model{Name: e.program.Name, Note: e.program.Note, Device: e.program.Device.Name(), Outputs: []int{}, Inputs: []Input{},
		Sources: map[string]map[int]string{}}
	if r := e.machine(); r != nil {
		m.Machine = r.Name
	}
	w := walker{model: m, calls: map[*mlir.Value]int{}}
	for _, f := range e.module.Funcs() {
		if f.Body() != nil {
			w.function(f)
		}
	}
	m.addSources(e.program.Source)
	m.Stages = e.stages()
	m.Parts = e.Parts()
	return m
}

// walker collects calls.
type walker struct {
	model *Model
	calls map[*mlir.Value]int // the call that made a value
	flows int                 // operations of control flow
}

func (w *walker) function(f *mlir.Operation) {
	w.block(f.Body(), nil)
	m := w.model
	body := f.Body()
	constant := ops.ConstantArguments(f)
	for i, a := range body.Args {
		if constant[i] {
			continue
		}
		if in := w.input(a, i); in != nil {
			m.Inputs = append(m.Inputs, *in)
		}
	}
	for _, op := range body.Ops {
		if op.Name != "func.return" && op.Name != "return" {
			continue
		}
		for _, v := range op.Operands {
			if id := w.calls[v]; id > 0 && !slices.Contains(m.Outputs, id) {
				m.Outputs = append(m.Outputs, id)
			}
		}
	}
}

// input describes an argument, if there is a call that takes no result of another: what only
// goes with such results is taken for a weight.
func (w *walker) input(a *mlir.Value, number int) *Input {
	in := &Input{Name: cmp.Or(a.Name, fmt.Sprintf("arg%d", number)), Type: typeText(a.Type)}
	first := false
	for i := range w.model.Calls {
		c := &w.model.Calls[i]
		if slices.Contains(c.Operands, operandText(a)) {
			in.Users = append(in.Users, c.ID)
			first = first || len(c.In) == 0
		}
	}
	if !first {
		return nil
	}
	return in
}

// block numbers the operations of a block. The operations in an operation's regions, such as the body of a linalg
// operation, belong to it; structured control flow is a layer.
func (w *walker) block(b *mlir.Block, path []string) {
	for _, op := range b.Ops {
		switch {
		case isConstant(op) || op.Def().Has(mlir.Terminator):
		case strings.HasPrefix(op.Name, "scf."):
			w.controlFlow(op, path)
		default:
			id := len(w.model.Calls) + 1
			c := w.call(op, id, append(slices.Clone(path), layers(op.Loc.Name)...), op.Captured())
			w.model.Calls = append(w.model.Calls, c)
			number(op, id)
			w.made(op, id)
		}
	}
}

// controlFlow numbers the calls in the regions of an operation, as calls of a layer of its own, and
// then the operation, which takes what the regions yield.
func (w *walker) controlFlow(op *mlir.Operation, path []string) {
	w.flows++
	path = append(append(slices.Clone(path), layers(op.Loc.Name)...), fmt.Sprintf("%s %d", op.Name, w.flows))
	takes := slices.Clone(op.Operands)
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			w.block(b, path)
			if n := len(b.Ops); n > 0 && b.Ops[n-1].Def().Has(mlir.Terminator) {
				takes = append(takes, b.Ops[n-1].Operands...)
			}
		}
	}
	id := len(w.model.Calls) + 1
	w.model.Calls = append(w.model.Calls, w.call(op, id, path, takes))
	op.Walk(func(inner *mlir.Operation) {
		if inner.Loc.Serial == 0 { // what no call of the regions has
			inner.Loc.Serial = id
		}
	})
	w.made(op, id)
}

// made notes the results of a call.
func (w *walker) made(op *mlir.Operation, id int) {
	for _, r := range op.Results {
		w.calls[r] = id
	}
}

// number marks an operation and what is in it as a call.
func number(op *mlir.Operation, id int) {
	op.Walk(func(inner *mlir.Operation) {
		l := &inner.Loc
		if l.IsUnknown() { // kernels keep places only
			l.Name = op.Name
		}
		l.Serial = id
	})
}

// call describes an operation that takes some values.
func (w *walker) call(op *mlir.Operation, id int, path []string, takes []*mlir.Value) Call {
	c := Call{ID: id, Op: op.Name, Name: op.Loc.Name, Path: path}
	if place := at(op.Loc); place.File != "" {
		c.File, c.Line = place.File, place.Line
	}
	for _, r := range op.Results {
		c.Types = append(c.Types, typeText(r.Type))
	}
	seen := map[int]bool{}
	for _, v := range takes {
		if id := w.calls[v]; id > 0 && !seen[id] {
			seen[id] = true
			c.In = append(c.In, id)
		}
	}
	for _, v := range op.Operands {
		c.Operands = append(c.Operands, operandText(v))
	}
	for _, a := range op.Attrs {
		if a.Name == "operandSegmentSizes" { // of the text, not of the call
			continue
		}
		text := a.Value.String()
		if len(text) > mostOption {
			text = text[:mostOption] + "…"
		}
		c.Options = append(c.Options, a.Name+" = "+strings.ToValidUTF8(text, "…"))
	}
	return c
}

// mostOption bounds the text of an attribute.
const mostOption = 120

// at returns the place of a location, or of the first one that is fused in it.
func at(l mlir.Location) mlir.Location {
	for l.File == "" && len(l.Fused) > 0 {
		l = l.Fused[0]
	}
	return l
}

func isConstant(op *mlir.Operation) bool {
	return op.Name == "arith.constant" || strings.HasSuffix(op.Name, ".constant")
}

// layers divides the path of a layer, "net/layer1" or "body.0.conv1".
func layers(name string) []string {
	separator := "."
	if strings.Contains(name, "/") {
		separator = "/"
	}
	var path []string
	for _, p := range strings.Split(name, separator) {
		if p != "" {
			path = append(path, p)
		}
	}
	return path
}

// operandText names a value and its type.
func operandText(v *mlir.Value) string {
	name := v.Name
	switch {
	case v.Def != nil && isConstant(v.Def):
		name = cmp.Or(name, "constant")
	case v.Def != nil:
		name = cmp.Or(name, strings.TrimPrefix(v.Def.Name, "aten."))
	default:
		name = cmp.Or(name, fmt.Sprintf("arg%d", v.Index))
	}
	return name + " " + typeText(v.Type)
}

// typeText writes a tensor as "1x3x64x64xf32".
func typeText(t mlir.Type) string {
	text := t.String()
	if inner, ok := strings.CutPrefix(text, "tensor<"); ok {
		return strings.TrimSuffix(inner, ">")
	}
	return text
}
