package stablehlo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Checks of tuples, tokens, transfers and calls.

func verifyTuple(f facts) error { return f.gives(mlir.TupleType{Elems: mlir.TypesOf(f.Operands)}) }

func verifyElement(f facts) error {
	t, i := f.Operands[0].Type.(mlir.TupleType), f.int("index")
	if i < 0 || i >= len(t.Elems) {
		return fmt.Errorf("takes element %d of %s", i, t)
	}
	return f.gives(t.Elems[i])
}

func verifyBarrier(f facts) error { return f.gives(mlir.TypesOf(f.Operands)...) }

// verifyTokenLast checks that the results are tensors and a token.
func verifyTokenLast(f facts) error {
	if len(f.Results) == 0 {
		return fmt.Errorf("gives a token at least")
	}
	for i, v := range f.Results {
		_, tensor := v.Type.(mlir.TensorType)
		if last := i == len(f.Results)-1; last != mlir.SameType(v.Type, token) || !last && !tensor {
			return fmt.Errorf("gives tensors and a token in the end, not %s", v.Type)
		}
	}
	return nil
}

func verifyInfeed(f facts) error {
	if err := verifyTokenLast(f); err != nil {
		return err
	}
	layout, ok := f.Attrs.Get("layout").(mlir.ArrayAttr)
	if !ok {
		if f.Attrs.Get("layout") != nil {
			return fmt.Errorf("layout must be an array, not %s", f.Attrs.Get("layout"))
		}
		return nil
	}
	if len(layout) != len(f.Results)-1 {
		return fmt.Errorf("has %d layouts for %d results", len(layout), len(f.Results)-1)
	}
	for _, a := range layout {
		list, ok := a.(mlir.ArrayAttr)
		if !ok || slices.ContainsFunc(list, func(a mlir.Attribute) bool { _, ok := a.(mlir.IntegerAttr); return !ok }) {
			return fmt.Errorf("a layout must be integers, not %s", a)
		}
	}
	return nil
}

// The kinds of channels.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

// verifyChannel checks the kind of the channel of a transfer, which is toHost if the host takes part.
func verifyChannel(f facts, toHost int) error {
	kind := 0
	if k := Fields(f.Attrs.Get("channel_handle"))["type"]; len(k) == 1 {
		kind = k[0]
	}
	want := deviceToDevice
	if f.flag("is_host_transfer") {
		want = toHost
	}
	if kind != want {
		return fmt.Errorf("the channel must be of type %d, not %d", want, kind)
	}
	return nil
}

func verifySend(f facts) error { return first(verifyChannel(f, deviceToHost), f.gives(token)) }

func verifyRecv(f facts) error { return first(verifyChannel(f, hostToDevice), verifyTokenLast(f)) }

// compositeName is a name with its namespace: my_namespace.my_op.
var compositeName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$`)

func verifyComposite(f facts) error {
	name, _ := f.Attrs.Get("name").(mlir.StringAttr)
	if !compositeName.MatchString(string(name)) {
		return fmt.Errorf("the name must have a namespace, as my_namespace.my_op, and not be %q", string(name))
	}
	return nil
}

// decomposes checks a composite against the function that it stands for.
func decomposes(op, f *mlir.Operation) error {
	a, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, _ := a.Type.(mlir.FunctionType)
	if got := mlir.TypesOf(op.Operands); !mlir.SameTypes(got, t.Inputs) {
		return fmt.Errorf("has operands %s, and its decomposition %s", mlir.TupleType{Elems: got}, mlir.TupleType{Elems: t.Inputs})
	}
	if got := mlir.TypesOf(op.Results); !mlir.SameTypes(got, t.Results) {
		return fmt.Errorf("has results %s, and its decomposition %s", mlir.TupleType{Elems: got}, mlir.TupleType{Elems: t.Results})
	}
	return nil
}

func verifyCustomCall(f facts) error {
	operands, results := f.Attrs.Get("operand_layouts"), f.Attrs.Get("result_layouts")
	if (operands == nil) != (results == nil) {
		return fmt.Errorf("has layouts of operands and results, or of neither")
	}
	if operands != nil {
		types := mlir.TypesOf(f.Results)
		if len(types) == 1 {
			if t, ok := types[0].(mlir.TupleType); ok {
				types = t.Elems
			}
		}
		if err := first(layouts("operand", mlir.TypesOf(f.Operands), operands), layouts("result", types, results)); err != nil {
			return err
		}
	}
	if err := aliases(f); err != nil {
		return err
	}
	config, version := f.Attrs.Get("backend_config"), f.int("api_version")
	_, text := config.(mlir.StringAttr)
	_, dictionary := config.(mlir.DictAttr)
	switch {
	case config == nil:
	case version == 4 && !dictionary:
		return fmt.Errorf("backend_config must be a dictionary for API_VERSION_TYPED_FFI, not %s", config)
	case version != 4 && !text:
		return fmt.Errorf("backend_config must be a string, not %s", config)
	}
	return buffers(f)
}

// layouts checks that each layout names all dimensions of a tensor.
func layouts(what string, types []mlir.Type, a mlir.Attribute) error {
	list, _ := a.(mlir.ArrayAttr)
	if len(list) != len(types) {
		return fmt.Errorf("has %d layouts for %d %ss", len(list), len(types), what)
	}
	for i, t := range types {
		order, ok := mlir.IntList(list[i])
		if !ok {
			return fmt.Errorf("a layout must be elements, not %s", list[i])
		}
		shape, _, tensor := mlir.ShapeOf(t)
		_, tuple := t.(mlir.TupleType)
		if !tensor && (len(order) > 0 || tuple) {
			return fmt.Errorf("%s %d of type %s cannot have a layout", what, i, t)
		}
		if tensor && (len(order) != len(shape) || dimensions("a layout", order, len(shape)) != nil) {
			return fmt.Errorf("the layout %s does not name the dimensions of %s", extents(order), t)
		}
	}
	return nil
}

// alias is an entry of output_operand_aliases: the result's part that lies where the operand's part does.
type alias struct {
	output, within []int
	operand        int
}

func aliasesOf(f facts) (list []alias) {
	entries, _ := f.Attrs.Get("output_operand_aliases").(mlir.ArrayAttr)
	for _, a := range entries {
		fields := Fields(a)
		entry := alias{output: fields["output_tuple_indices"], within: fields["operand_tuple_indices"]}
		if n := fields["operand_index"]; len(n) == 1 {
			entry.operand = n[0]
		}
		list = append(list, entry)
	}
	return list
}

// aliases checks that parts of results and operands that share memory are of one type.
func aliases(f facts) error {
	part := func(t mlir.Type, path []int) (mlir.Type, error) {
		for _, i := range path {
			tuple, ok := t.(mlir.TupleType)
			if !ok || i < 0 || i >= len(tuple.Elems) {
				return nil, fmt.Errorf("output_operand_aliases takes part %d of %s", i, t)
			}
			t = tuple.Elems[i]
		}
		return t, nil
	}
	for _, a := range aliasesOf(f) {
		if a.operand < 0 || a.operand >= len(f.Operands) {
			return fmt.Errorf("output_operand_aliases names operand %d of %d", a.operand, len(f.Operands))
		}
		from, err := part(f.Operands[a.operand].Type, a.within)
		if err != nil {
			return err
		}
		to, err := part(resultType(f), a.output)
		if err != nil {
			return err
		}
		if !mlir.SameType(from, to) {
			return fmt.Errorf("output_operand_aliases joins %s and %s", from, to)
		}
	}
	return nil
}

// resultType is the type of the results together.
func resultType(f facts) mlir.Type {
	if len(f.Results) == 1 {
		return f.Results[0].Type
	}
	return mlir.TupleType{Elems: mlir.TypesOf(f.Results)}
}

// buffers checks calls that make, pin and unpin memory, and that all other memory that a call gives is an operand's.
func buffers(f facts) error {
	name, _ := f.Attrs.Get("call_target_name").(mlir.StringAttr)
	memory := func(t mlir.Type) bool { _, ok := t.(mlir.MemRefType); return ok }
	tensor := func(t mlir.Type) bool { _, ok := t.(mlir.TensorType); return ok }
	any := func(mlir.Type) bool { return true }
	known := map[string]struct {
		operands int
		in, out  func(mlir.Type) bool
	}{"CreateBuffer": {0, any, memory}, "Pin": {1, tensor, memory}, "Unpin": {1, memory, tensor}}
	if k, ok := known[string(name)]; ok {
		if len(f.Operands) != k.operands || len(f.Results) != 1 || !k.out(f.Results[0].Type) || k.operands == 1 && !k.in(f.Operands[0].Type) {
			return fmt.Errorf("%s does not take %s and give %s", name, mlir.TupleType{Elems: mlir.TypesOf(f.Operands)}, resultType(f))
		}
		if k.operands == 1 {
			s, x, _ := mlir.ShapeOf(f.Operands[0].Type)
			t, y, _ := mlir.ShapeOf(f.Results[0].Type)
			if !slices.EqualFunc(s, t, same) || !mlir.SameType(x, y) {
				return fmt.Errorf("%s does not make %s of %s", name, f.Results[0].Type, f.Operands[0].Type)
			}
		}
		return nil
	}
	outputs, operands := map[string]bool{}, map[string]bool{}
	for _, a := range aliasesOf(f) {
		t := f.Operands[a.operand].Type
		for _, i := range a.within {
			t = t.(mlir.TupleType).Elems[i]
		}
		to, from := extents(a.output), number(a.operand)+extents(a.within)
		if memory(t) && (outputs[to] || operands[from]) {
			return fmt.Errorf("output_operand_aliases names %s or %s twice", to, from)
		}
		outputs[to], operands[from] = memory(t), memory(t)
	}
	return leaves(resultType(f), nil, func(t mlir.Type, path []int) error {
		if memory(t) && !outputs[extents(path)] {
			return fmt.Errorf("the memory %s of the result is no operand's", extents(path))
		}
		return nil
	})
}

// leaves visits the types in a tuple.
func leaves(t mlir.Type, path []int, visit func(mlir.Type, []int) error) error {
	tuple, ok := t.(mlir.TupleType)
	if !ok {
		return visit(t, path)
	}
	for i, e := range tuple.Elems {
		if err := leaves(e, append(slices.Clone(path), i), visit); err != nil {
			return err
		}
	}
	return nil
}

// verifyRunParallel checks programs that run side by side.
func verifyRunParallel(f facts) error {
	rows, ok := f.Attrs.Get("programs").(mlir.ArrayAttr)
	if !ok || len(rows) == 0 {
		return fmt.Errorf("needs programs")
	}
	width := -1
	var inputs, results int
	for _, row := range rows {
		list, _ := row.(mlir.ArrayAttr)
		if width >= 0 && len(list) != width || len(list) == 0 {
			return fmt.Errorf("has rows of %d and %d programs", width, len(list))
		}
		width = len(list)
		for _, a := range list {
			t, err := programType(f, a)
			if err != nil {
				return err
			}
			inputs, results = inputs+len(t.Inputs), results+len(t.Results)
		}
	}
	if inputs != len(f.Operands) || results != len(f.Results) {
		return fmt.Errorf("has %d operands and %d results for programs with %d and %d", len(f.Operands), len(f.Results), inputs, results)
	}
	queue, _ := f.Attrs.Get("infeed").(mlir.ArrayAttr)
	if f.Attrs.Get("infeed") != nil && len(queue) == 0 {
		return fmt.Errorf("the infeed must not be empty")
	}
	for _, a := range queue {
		t, err := programType(f, a)
		if err != nil {
			return err
		}
		if len(t.Results) != 1 || tensorType(t.Results[0]).Elem == nil {
			return fmt.Errorf("%s gives %s, and not one tensor", a, mlir.TupleType{Elems: t.Results})
		}
	}
	return nil
}

// programType is the type of the function that an attribute names.
func programType(f facts, a mlir.Attribute) (mlir.FunctionType, error) {
	name, _ := a.(mlir.SymbolRefAttr)
	top := f.Operation
	for top.Parent() != nil {
		top = top.Parent()
	}
	fn := top.Func(strings.Join(name, "::"))
	if fn == nil {
		return mlir.FunctionType{}, fmt.Errorf("there is no function %v", a)
	}
	t, _ := fn.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	return signature, nil
}
