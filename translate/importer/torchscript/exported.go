package torchscript

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/ops"
)

// A program of torch.export is a zip archive (.pt2) with the program in JSON, by the schema of
// torch/_export/serde/schema.py, and its tensors:
//
//	NAME/models/MODEL.json               the program
//	NAME/data/weights/...                parameters and buffers
//	NAME/data/constants/...              constants
//
// Before PyTorch 2.8 these were serialized_exported_program.json, serialized_state_dict.pt and
// serialized_constants.pt.

// exported is a program of torch.export.
type exported struct {
	member  string // of the archive, for messages
	graph   graph
	inputs  []exportedInput
	outputs []string // the kinds of the graph's outputs
	mutated []string // buffers whose new values are outputs
	bytes   int      // of the text
	extents openExtents
}

// textBytes is the size of the program's text.
func (m *Model) textBytes() int {
	if m.exported != nil {
		return m.exported.bytes
	}
	return m.library.bytes
}

// exportedInput is an input of the graph: a tensor of the caller's, one of the file's, or a constant.
type exportedInput struct {
	name      string
	parameter *Parameter // nil for the caller's
	fixed     bool       // the value is constant
	constant  value
	number    bool       // a number of the caller's, which is read: fixed says that it is constant, too
	kind      string     // of the argument that a number is: as_sym_int, as_sym_float or as_sym_bool
	meta      tensorMeta // of a tensor of the caller's
}

// The structs below are the structs of the schema, without fields that the computation does not need.
type (
	graph struct {
		Inputs       []argument
		Outputs      []argument
		Nodes        []graphNode
		TensorValues map[string]tensorMeta `json:"tensor_values"`
		SymIntValues map[string]argument   `json:"sym_int_values"`
	}
	graphNode struct {
		Target   string
		Inputs   []namedArgument
		Outputs  []argument
		Metadata map[string]string
	}
	namedArgument struct {
		Name string
		Arg  argument
		Kind *int // 1 by position, 2 by name; absent in old files
	}
	tensorMeta struct {
		DType   int `json:"dtype"`
		Sizes   []argument
		Strides []argument
		Offset  argument `json:"storage_offset"`
	}
	// argument is a union of the schema: the only field of an object, which says what it is.
	argument struct {
		kind string
		data json.RawMessage
	}
	reference struct{ Name string }
)

// checkTypes refuses tensors of unknown element types. The number 0 says nothing.
func (g *graph) checkTypes() error {
	for _, name := range slices.Sorted(maps.Keys(g.TensorValues)) {
		if code := g.TensorValues[name].DType; code != 0 && !dtype.FromSchemaCode(code).Valid() {
			return fmt.Errorf("tensor %.100q: %w", name, unknownElements(code, schemaComplexHalf))
		}
	}
	return nil
}

// UnmarshalJSON reads a union.
func (a *argument) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := jsontext.Unmarshal(data, &fields); err != nil {
		return err
	}
	for kind, v := range fields {
		a.kind, a.data = kind, v
	}
	if len(fields) != 1 {
		return fmt.Errorf("a value of %d kinds, not of one", len(fields))
	}
	return nil
}

// UnmarshalJSON reads a node. It refuses one without a target at once, so that a long list of empty objects takes
// no memory.
func (n *graphNode) UnmarshalJSON(data []byte) error {
	type plain graphNode
	if err := jsontext.Unmarshal(data, (*plain)(n)); err != nil {
		return err
	}
	if n.Target == "" {
		return errors.New("a node without a target")
	}
	return nil
}

// UnmarshalJSON reads an argument of a node.
func (n *namedArgument) UnmarshalJSON(data []byte) error {
	type plain namedArgument
	if err := jsontext.Unmarshal(data, (*plain)(n)); err != nil {
		return err
	}
	if n.Arg.kind == "" {
		return fmt.Errorf("argument %q has no value", n.Name)
	}
	return nil
}

// maxProgram bounds the bytes of a program's text. Programs of a hundred thousand nodes are smaller.
const maxProgram = 128 << 20

// programMember returns the member of the archive that holds the exported program of a name, or the only one; empty if
// there is none.
func programMember(names []string, program string) (string, error) {
	var models []string
	for _, name := range names {
		dir, file := path.Split(name)
		switch {
		case name == "serialized_exported_program.json":
			return name, nil
		case dir == "models/" && path.Ext(file) == ".json":
			models = append(models, name)
		}
	}
	wanted := "models/" + program + ".json"
	switch {
	case program != "" && slices.Contains(models, wanted):
		return wanted, nil
	case program != "":
		return "", fmt.Errorf("the archive has no program %q; it has %s", program, programNames(models))
	case slices.Contains(models, "models/model.json"):
		return "models/model.json", nil
	case len(models) > 1:
		return "", fmt.Errorf("the archive has %d programs (%s): name one, as in model.pt2#%s", len(models), programNames(models),
			strings.TrimSuffix(path.Base(models[0]), ".json"))
	}
	return strings.Join(models, ""), nil
}

// programNames lists the first programs of an archive.
func programNames(models []string) string {
	names := make([]string, 0, 4)
	for _, m := range models[:min(len(models), 4)] {
		names = append(names, strings.TrimSuffix(path.Base(m), ".json"))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// readProgram reads an exported program and its tensors.
func (m *Model) readProgram(a *archive, member string, size int64) error {
	data, err := a.read(member, maxProgram)
	if err != nil {
		return err
	}
	if len(data) > textPerByte*int(min(size, maxProgram)) {
		return fmt.Errorf("%s: %d bytes of text in an archive of %d", member, len(data), size)
	}
	var p struct {
		GraphModule struct {
			Graph     graph
			Signature struct {
				InputSpecs  []argument `json:"input_specs"`
				OutputSpecs []argument `json:"output_specs"`
			}
		} `json:"graph_module"`
		SchemaVersion    struct{ Major, Minor int } `json:"schema_version"`
		RangeConstraints map[string]rangeOf         `json:"range_constraints"`
		GuardsCode       []string                   `json:"guards_code"`
	}
	if err := jsontext.Unmarshal(withoutBareFloats(data), &p); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("%s: byte %d: %w", member, syntax.Offset, err)
		}
		return fmt.Errorf("%s: %w", member, err)
	}
	if v := p.SchemaVersion; v.Major > lastSchema {
		return fmt.Errorf("%s: version %d.%d of the schema is newer than %d", member, v.Major, v.Minor, lastSchema)
	}
	e := &exported{member: member, graph: p.GraphModule.Graph, bytes: len(data)}
	if err := e.graph.checkTypes(); err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	if e.extents, err = readExtents(p.RangeConstraints, p.GuardsCode); err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	specs := p.GraphModule.Signature.InputSpecs
	for _, spec := range p.GraphModule.Signature.OutputSpecs {
		e.outputs = append(e.outputs, spec.kind)
		if spec.kind == "buffer_mutation" {
			m, err := decoded[struct {
				BufferName string `json:"buffer_name"`
			}](spec.data)
			if err != nil {
				return fmt.Errorf("%s: output %d: %w", member, len(e.outputs)-1, err)
			}
			e.mutated = append(e.mutated, m.BufferName)
		}
	}
	if len(e.outputs) != len(e.graph.Outputs) {
		return fmt.Errorf("%s: the signature has %d outputs, the graph %d", member, len(e.outputs), len(e.graph.Outputs))
	}
	if len(specs) != len(e.graph.Inputs) {
		return fmt.Errorf("%s: the signature has %d inputs, the graph %d", member, len(specs), len(e.graph.Inputs))
	}
	state, err := m.readState(a, member, size)
	if err != nil {
		return err
	}
	for i, spec := range specs {
		in, err := e.input(spec, e.graph.Inputs[i], state)
		if err != nil {
			return fmt.Errorf("%s: input %d: %w", member, i, err)
		}
		e.inputs = append(e.inputs, in)
	}
	m.exported = e
	return nil
}

// textPerByte bounds the text of a program by the size of its archive: text compresses well, and PyTorch does
// not compress it. lastSchema is the last major version of the schema that is known.
const textPerByte, lastSchema = 20, 8

// input resolves what the signature says about an input of the graph.
func (e *exported) input(spec, arg argument, state *exportedState) (exportedInput, error) {
	var s struct {
		Arg           argument
		Name          string // of a constant
		Value         argument
		ParameterName string `json:"parameter_name"`
		BufferName    string `json:"buffer_name"`
		ConstantName  string `json:"tensor_constant_name"`
	}
	if err := jsontext.Unmarshal(spec.data, &s); err != nil && spec.kind != "user_input" && spec.kind != "token" &&
		spec.kind != "parameter" && spec.kind != "buffer" && spec.kind != "tensor_constant" {
		return exportedInput{}, err
	}
	in := exportedInput{name: s.Name}
	if spec.kind == "user_input" && arg.kind != "as_tensor" {
		return e.numberInput(arg)
	}
	if spec.kind != "constant_input" {
		var tensor reference
		if json.Unmarshal(arg.data, &tensor) != nil || arg.kind == "as_custom_obj" {
			return in, fmt.Errorf("an input of kind %s is not supported", strings.TrimPrefix(arg.kind, "as_"))
		}
		in.name = tensor.Name
	}
	switch spec.kind {
	case "user_input":
		in.meta = e.graph.TensorValues[in.name]
	case "parameter", "buffer", "tensor_constant":
		name := s.ParameterName + s.BufferName + s.ConstantName
		if w := state.subclasses[name]; w != nil {
			in.fixed, in.constant = true, w
			break
		}
		if in.parameter = state.tensors[name]; in.parameter == nil {
			return in, fmt.Errorf("the archive has no tensor %q", name)
		}
		in.parameter.IsBuffer = spec.kind != "parameter"
	case "constant_input":
		v, err := e.static(s.Value)
		in.fixed, in.constant = true, v
		_, in.number = number(v)
		return in, err
	case "token":
		in.fixed = true
	default:
		return in, fmt.Errorf("an input of kind %s is not supported", spec.kind)
	}
	return in, nil
}

// numberInput is an input that is no tensor: a constant, or a number that has a name.
func (e *exported) numberInput(arg argument) (in exportedInput, err error) {
	switch arg.kind {
	case "as_sym_int", "as_sym_float", "as_sym_bool":
		var inner argument
		if inner, err = decoded[argument](arg.data); err == nil && inner.kind == "as_name" {
			in.name, err = decoded[string](inner.data)
			in.number, in.kind = true, arg.kind
			return in, err
		}
		if err != nil {
			return in, err
		}
		arg = inner
	}
	v, err := e.static(arg)
	if err != nil {
		return in, fmt.Errorf("an input of kind %s is not supported: export with tensors and numbers as inputs",
			strings.TrimPrefix(arg.kind, "as_"))
	}
	in.fixed, in.constant = true, v
	_, in.number = number(v)
	return in, nil
}

// static is the value of an argument that needs no variable.
func (e *exported) static(a argument) (value, error) {
	switch a.kind {
	case "as_none":
		return nil, nil
	case "as_bool":
		return decoded[bool](a.data)
	case "as_int":
		return decoded[int](a.data)
	case "as_float":
		return decodedFloat(a.data)
	case "as_string":
		return decoded[string](a.data)
	}
	return nil, fmt.Errorf("a value of kind %s is not supported here", strings.TrimPrefix(a.kind, "as_"))
}

// userInputs are the inputs that a caller gives. Numbers that are constant may be left out.
func (e *exported) userInputs() []exportedInput {
	return slices.DeleteFunc(slices.Clone(e.inputs), func(in exportedInput) bool { return in.fixed || in.parameter != nil })
}

// constantNumbers counts the numbers that a caller may leave out.
func (e *exported) constantNumbers() int {
	n := 0
	for _, in := range e.inputs {
		if in.fixed && in.number {
			n++
		}
	}
	return n
}

// InputTypes returns the types of the inputs that a program of torch.export was made for. It reports false for other
// files, and where extents are open.
func (m *Model) InputTypes() ([]ops.TensorType, bool) {
	if m.exported == nil {
		return nil, false
	}
	var types []ops.TensorType
	for _, in := range m.exported.userInputs() {
		if in.number {
			types = append(types, ops.TensorType{DType: dtype.I64})
			continue
		}
		dims, err := in.meta.extents(in.meta.Sizes)
		if err != nil || dtype.FromSchemaCode(in.meta.DType) == dtype.Invalid {
			return nil, false
		}
		types = append(types, ops.TensorType{DType: dtype.FromSchemaCode(in.meta.DType), Shape: dims})
	}
	return types, true
}

// InputDTypes returns the element types of the inputs that a program of torch.export was made for, [dtype.Invalid]
// for numbers and for what the file does not say. It is nil for other files.
func (m *Model) InputDTypes() []dtype.DType {
	if m.exported == nil {
		return nil
	}
	var list []dtype.DType
	for _, in := range m.exported.userInputs() {
		list = append(list, dtype.FromSchemaCode(in.meta.DType))
	}
	return list
}

// extents returns sizes or strides that are numbers.
func (t tensorMeta) extents(list []argument) ([]int, error) {
	out := make([]int, len(list))
	for i, a := range list {
		if a.kind != "as_int" {
			return nil, errors.New("an extent is not a number")
		}
		n, err := decoded[int](a.data)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}
