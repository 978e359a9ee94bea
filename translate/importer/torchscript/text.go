package torchscript

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/passes/guard"
)

// Text is a function in torch-mlir's dialect. It does not change and may be used by many goroutines.
type Text struct {
	model    *Model // without code, for messages
	function *mlir.Operation
	module   *mlir.Operation
}

// FromText returns a function of a module in torch-mlir's dialect as a model. name stands for the file in messages.
func FromText(module, function *mlir.Operation, name string) *Text {
	l := &library{texts: map[string][]byte{}, files: map[string]*script.File{}, found: map[string]value{}, sources: map[string]*sourceMap{}}
	module.Walk(func(*mlir.Operation) { l.bytes += bytesPerCall })
	return &Text{model: &Model{Name: name, library: l}, function: function, module: module}
}

// InputNames returns the names of the inputs in order.
func (t *Text) InputNames() []string {
	var names []string
	for i, a := range t.function.Body().Args {
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("arg%d", i)
		}
		names = append(names, name)
	}
	return names
}

// numberTypes are the types of inputs that are numbers, and of the tensors of one element in which they are given.
var numberTypes = map[string]dtype.DType{"int": dtype.I64, "float": dtype.F64, "bool": dtype.Bool}

// InputTypes returns the types of the inputs if the function gives all of them without open extents.
func (t *Text) InputTypes() ([]ops.TensorType, bool) {
	var types []ops.TensorType
	for _, a := range t.function.Body().Args {
		if d, number := numberTypes[torch.Kind(a.Type)]; number {
			types = append(types, ops.TensorType{DType: d, Shape: []int{}})
			continue
		}
		tensor, ok := textTensor(a.Type)
		if !ok || slices.Contains(tensor.Shape, mlir.Dynamic) {
			return nil, false
		}
		types = append(types, ops.TensorType{DType: mlir.DTypeOf(tensor.Elem), Shape: tensor.Shape})
	}
	return types, true
}

// textTensor is what a tensor type of the dialect says, of either kind, if it says all but extents.
func textTensor(t mlir.Type) (mlir.TensorType, bool) {
	if o, ok := t.(mlir.OpaqueType); ok && o.Dialect == "torch" && strings.HasPrefix(o.Text, "tensor<") {
		t = torch.Type("v" + o.Text)
	}
	return torch.TensorOf(t)
}

// Import returns the computation on inputs of the given types as a module of the aten dialect.
func (t *Text) Import(inputs []ops.TensorType) (*mlir.Operation, error) {
	module, err := importer.Module(t.model.Name, t.InputNames(), inputs, t.Forward)
	if err != nil {
		return nil, err
	}
	return module, t.guard(module, inputs)
}

// guard adds the guards of the text to the module that it is imported as.
func (t *Text) guard(module *mlir.Operation, inputs []ops.TensorType) error {
	f := guard.Find(t.module)
	if f == nil || f == t.function {
		return nil
	}
	names, err := guard.Names(f)
	if err != nil {
		return err
	}
	if guard.Find(module) != nil {
		return f.Errorf("the program was made for some inputs, and depends on elements of its inputs as well: take the model's own file")
	}
	guards := &Text{model: t.model, function: f, module: t.module}
	other, err := importer.Module(t.model.Name, guards.InputNames(), inputs, guards.Forward)
	if err != nil {
		return err
	}
	computed := other.Funcs()[0]
	other.Body().Ops = nil
	guard.Add(module, computed, names)
	return nil
}

// Specialize is [Text.Import] for the given inputs, from which conditions and numbers are taken; see [Model.Specialize].
func (t *Text) Specialize(inputs []*buf.Buffer, run importer.Run) (*mlir.Operation, error) {
	module, err := importer.Specialized(t.model.Name, t.InputNames(), inputs, run, t.Forward)
	if err != nil {
		return nil, err
	}
	types := make([]ops.TensorType, len(inputs))
	for i, b := range inputs {
		types[i] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	}
	return module, t.guard(module, types)
}

// Forward runs the function on inputs and adds its tensor operations to b; see [Model.Forward].
func (t *Text) Forward(b importer.Builder, inputs []ops.Value) (results []ops.Value, err error) {
	defer func() {
		if name := t.model.Name; err != nil && strings.HasPrefix(err.Error(), name+": "+name+":") {
			err = errors.Unwrap(err) // the place names the file
		}
	}()
	defer t.model.catch(&err)
	ev := newEvaluator(t.model, b)
	r := &textRun{ev: ev, text: t, values: map[*mlir.Value]value{}, symbols: map[*mlir.Value]int{}, globals: map[string]value{}}
	at := r.place(t.function)
	args := t.function.Body().Args
	if len(args) != len(inputs) {
		failAt(at, "the function takes %d inputs, got %d", len(args), len(inputs))
	}
	given := make([]value, len(args))
	for i, a := range args {
		given[i] = r.input(at, i, a.Type, inputs[i])
	}
	r.initialize()
	return ev.results(at, &list{items: r.call(at, t.function, given)}), nil
}

// textRun is a run of a function.
type textRun struct {
	ev      *evaluator
	text    *Text
	values  map[*mlir.Value]value
	symbols map[*mlir.Value]int // extents that have names
	globals map[string]value
}

// place is where an operation stands.
func (r *textRun) place(op *mlir.Operation) script.Position {
	return script.Position{File: op.Loc.File, Line: op.Loc.Line, Col: op.Loc.Col}
}

// input takes an input: a tensor, or a number in one.
func (r *textRun) input(at script.Position, i int, t mlir.Type, v ops.Value) value {
	kind := torch.Kind(t)
	if d, plain := numberTypes[kind]; plain {
		if _, ok := r.ev.builder.Reader(); !ok {
			failAt(at, "input %d is a number of type %s, which becomes a part of the program: give all inputs, the number as a tensor of one element", i, kind)
		}
		n := r.ev.scalarOf(at, r.ev.newTensor(v), fmt.Sprintf("input %d of type %s", i, kind))
		switch {
		case d == dtype.Bool:
			return r.ev.truth(at, n)
		case d == dtype.F64:
			x, _ := number(n)
			return float(x)
		}
		return r.ev.intOf(at, n)
	}
	if kind != "vtensor" && kind != "tensor" {
		failAt(at, "input %d is of type %s, and only tensors and numbers are given", i, t)
	}
	x := r.ev.newTensor(v)
	r.fits(at, fmt.Sprintf("input %d", i), t, x)
	return x
}

// fits checks a tensor against what the text says of it.
func (r *textRun) fits(at script.Position, what string, t mlir.Type, x *tensor) {
	want, ok := textTensor(t)
	if !ok {
		return
	}
	got := x.typeOf()
	fits := mlir.DTypeOf(want.Elem) == got.DType && len(want.Shape) == len(got.Shape)
	for d := 0; fits && d < len(want.Shape); d++ {
		fits = want.Shape[d] == mlir.Dynamic || want.Shape[d] == got.Shape[d]
	}
	if !fits {
		failAt(at, "%s is of type %s, and the program has %v %s", what, t, got.DType, shape.String(got.Shape))
	}
}

// initialize gives the globals their first values.
func (r *textRun) initialize() {
	body := r.text.module.Body()
	if body == nil {
		return
	}
	for _, op := range body.Ops {
		if op.Name != "torch.global_slot.module_initializer" {
			continue
		}
		end, values := r.block(op.Regions[0].Blocks[0])
		names, _ := end.Attrs.Get("slotSymNames").(mlir.ArrayAttr)
		for i, v := range values {
			if i < len(names) {
				name, _ := names[i].(mlir.SymbolRefAttr)
				r.globals[strings.Join(name, "::")] = v
			}
		}
	}
}

// call runs a function of one block.
func (r *textRun) call(at script.Position, f *mlir.Operation, args []value) []value {
	if r.ev.calls++; r.ev.calls > maxCalls {
		failAt(at, "calls are nested more than %d deep", maxCalls)
	}
	body := f.Body()
	if body == nil || len(f.Regions[0].Blocks) != 1 {
		failAt(at, "the function %s is no program of one block", f.Symbol())
	}
	outer := r.values
	r.values = map[*mlir.Value]value{}
	r.bind(body, args)
	_, results := r.block(body)
	r.values = outer
	r.ev.calls--
	return results
}

func (r *textRun) bind(b *mlir.Block, args []value) {
	for i, a := range b.Args {
		r.values[a] = args[i]
	}
}

// block runs the operations of a block and returns its terminator with the values that it passes on.
func (r *textRun) block(b *mlir.Block) (*mlir.Operation, []value) {
	for _, op := range b.Ops {
		at := r.place(op)
		r.ev.charge(at, 1)
		in := make([]value, len(op.Operands))
		for i, v := range op.Operands {
			in[i] = r.values[v]
		}
		if op.Def().Has(mlir.Terminator) {
			return op, in
		}
		out := r.run(at, op, in)
		if len(out) != len(op.Results) {
			failAt(at, "%s gives %d values, not %d", op.Name, len(out), len(op.Results))
		}
		for i, v := range op.Results {
			if x, ok := out[i].(*tensor); ok {
				r.fits(at, "the result of "+op.Name, v.Type, x)
			}
			r.values[v] = out[i]
		}
	}
	return nil, nil
}

// region runs a region of one block.
func (r *textRun) region(at script.Position, region *mlir.Region, args ...value) []value {
	r.bind(region.Blocks[0], args)
	_, out := r.block(region.Blocks[0])
	return out
}

// textOperations are the operations that are no operators.
var textOperations map[string]func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value

func init() { // they refer to the table through the run
	same := func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value { return in[:1] }
	constant := func(_ *textRun, _ script.Position, op *mlir.Operation, _ []value) []value {
		switch a := op.Attrs.Get("value").(type) {
		case mlir.IntegerAttr:
			if mlir.SameType(a.Type, mlir.I1) {
				return []value{a.Value != 0}
			}
			return []value{int(a.Value)}
		case mlir.FloatAttr:
			return []value{a.Value}
		case mlir.StringAttr:
			if op.Name == "torch.constant.device" {
				return []value{device(a)}
			}
			return []value{string(a)}
		}
		return []value{nil}
	}
	textOperations = map[string]func(*textRun, script.Position, *mlir.Operation, []value) []value{
		"torch.vtensor.literal": (*textRun).literal, "torch.tensor.literal": (*textRun).literal,
		"torch.prim.ListConstruct": func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value {
			return []value{&list{items: in}}
		},
		"torch.prim.TupleConstruct": func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value {
			return []value{&tuple{items: in}}
		},
		"torch.prim.DictConstruct": func(_ *textRun, at script.Position, _ *mlir.Operation, in []value) []value {
			d := newDict()
			for i, key := range in[:len(in)/2] {
				if !isKey(key) {
					failAt(at, "a %s is no key of a dict", kindOf(key))
				}
				d.set(key, in[len(in)/2+i])
			}
			return []value{d}
		},
		"torch.prim.ListUnpack": partsOf, "torch.prim.TupleUnpack": partsOf,
		"torch.shape.calculate": (*textRun).body, "torch.dtype.calculate": (*textRun).body,
		"torch.prim.If": (*textRun).branch, "torch.prim.Loop": (*textRun).loop,
		"torch.derefine": same, "torch.tensor_static_info_cast": same,
		"torch.copy.to_vtensor": (*textRun).copied, "torch.copy.to_tensor": (*textRun).copied,
		"torch.overwrite.tensor.contents": func(r *textRun, at script.Position, _ *mlir.Operation, in []value) []value {
			r.ev.store(at, in[1].(*tensor), in[0].(*tensor))
			return nil
		},
		"torch.runtime.assert": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			if !r.ev.truth(at, in[0]) {
				failAt(at, "the inputs do not hold what the program asserts: %s", op.Attrs.Get("message"))
			}
			return nil
		},
		"torch.symbolic_int": func(*textRun, script.Position, *mlir.Operation, []value) []value { return []value{unset{}} },
		"torch.bind_symbolic_shape": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			if x, ok := in[0].(*tensor); ok {
				r.bindShape(at, op, x.typeOf().Shape)
			}
			return nil
		},
		"torch.global_slot.get": func(r *textRun, at script.Position, op *mlir.Operation, _ []value) []value {
			name := op.Attrs.Get("slot").(mlir.SymbolRefAttr)
			v, ok := r.globals[strings.Join(name, "::")]
			if !ok {
				failAt(at, "%s has no value yet", name)
			}
			return []value{v}
		},
		"torch.global_slot.set": func(r *textRun, _ script.Position, op *mlir.Operation, in []value) []value {
			r.globals[strings.Join(op.Attrs.Get("slot").(mlir.SymbolRefAttr), "::")] = in[0]
			return nil
		},
		"func.call": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			callee, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
			f := r.text.module.Func(strings.Join(callee, "::"))
			if f == nil {
				failAt(at, "there is no function %s", callee)
			}
			return r.call(at, f, in)
		},
	}
	for _, kind := range []string{"int", "float", "bool", "str", "none", "device", "number"} {
		textOperations["torch.constant."+kind] = constant
	}
}

func (r *textRun) literal(at script.Position, op *mlir.Operation, _ []value) []value {
	b, err := importer.Elements(op.Attrs.Get("value"))
	if err != nil {
		r.ev.fail(at, err)
	}
	p := &Parameter{Data: b}
	if a, ok := op.Attrs.Get("value").(mlir.ResourceAttr); ok {
		p.Name = a.Key
	}
	return []value{&tensor{parameter: p}}
}

func partsOf(_ *textRun, at script.Position, op *mlir.Operation, in []value) []value {
	items := itemsOf(in[0])
	if len(items) != len(op.Results) {
		failAt(at, "%d names for %d items", len(op.Results), len(items))
	}
	return items
}

// copied is a tensor of its own that holds what another holds now.
func (r *textRun) copied(at script.Position, _ *mlir.Operation, in []value) []value {
	x, ok := in[0].(*tensor)
	if !ok {
		failAt(at, "a %s is no tensor", kindOf(in[0]))
	}
	return []value{r.ev.newTensor(r.ev.current(at, x))}
}

func (r *textRun) branch(at script.Position, op *mlir.Operation, in []value) []value {
	side := op.Regions[1]
	if r.ev.truth(at, in[0]) {
		side = op.Regions[0]
	}
	return r.region(at, side)
}

// body runs the first region; the second says what torch-mlir knows of its results.
func (r *textRun) body(at script.Position, op *mlir.Operation, _ []value) []value {
	return r.region(at, op.Regions[0])
}

func (r *textRun) loop(at script.Position, op *mlir.Operation, in []value) []value {
	trips, goes, carried := r.ev.intOf(at, in[0]), r.ev.truth(at, in[1]), in[2:]
	for i := 0; i < trips && goes; i++ {
		r.ev.charge(at, 1)
		out := r.region(at, op.Regions[0], append([]value{i}, carried...)...)
		goes, carried = r.ev.truth(at, out[0]), out[1:]
	}
	return carried
}

// bindShape checks extents against expressions of symbols, and gives symbols that stand alone their values.
func (r *textRun) bindShape(at script.Position, op *mlir.Operation, dims []int) {
	a := op.Attrs.Get("shape_expressions").(mlir.AffineMapAttr)
	for i, e := range a.Map.Results {
		if e.Kind != mlir.AffineSymbol || i >= len(dims) {
			continue
		}
		symbol := op.Operands[1+e.Value]
		if _, known := r.symbols[symbol]; !known {
			r.symbols[symbol] = dims[i]
			r.inBounds(at, symbol.Def, dims[i])
		}
	}
	values := make([]int, a.Map.Symbols)
	for i := range values {
		n, known := r.symbols[op.Operands[1+i]]
		if !known {
			return // it is bound later
		}
		values[i] = n
	}
	for i, e := range a.Map.BindSymbols(values).Results {
		if e.Kind == mlir.AffineConstant && i < len(dims) && e.Value != dims[i] {
			failAt(at, "dimension %d has %d places, and %d follow from %s of %s", i, dims[i], e.Value, a, r.symbolText(op))
		}
	}
}

// inBounds checks the value of a symbol against what the program was made for.
func (r *textRun) inBounds(at script.Position, symbol *mlir.Operation, n int) {
	low, _ := symbol.Attrs.Get("min_val").(mlir.IntegerAttr)
	high, _ := symbol.Attrs.Get("max_val").(mlir.IntegerAttr)
	if int64(n) < low.Value || int64(n) > high.Value {
		failAt(at, "%s is %d, and the program was made for %d to %d (%s)", symbol.Attrs.Get("symbol_name"), n, low.Value, high.Value,
			symbol.Loc.Short())
	}
}

// symbolText lists the symbols of an operation with their values.
func (r *textRun) symbolText(op *mlir.Operation) string {
	var list []string
	for _, v := range op.Operands[1:] {
		list = append(list, fmt.Sprintf("%s = %d", v.Def.Attrs.Get("symbol_name"), r.symbols[v]))
	}
	return strings.Join(list, ", ")
}

// run runs an operation that is no terminator.
func (r *textRun) run(at script.Position, op *mlir.Operation, in []value) []value {
	if f := textOperations[op.Name]; f != nil {
		return f(r, at, op, in)
	}
	name, overload, ok := operatorOf(op)
	if !ok {
		failAt(at, "%s is not supported in a program of the torch dialect; there are the operators of ATen, %s", op.Name,
			strings.Join(slices.Sorted(maps.Keys(textOperations)), ", "))
	}
	args := arguments{positional: in, overload: overload}
	switch name {
	case "sym_constrain_range", "sym_constrain_range_for_size":
		r.ev.constrain(at, args)
		return nil
	case "_assert_scalar":
		if !r.ev.truth(at, in[0]) {
			failAt(at, "the inputs do not hold what the program asserts: %s", text(args.at(1)))
		}
		return nil
	}
	out := r.ev.callOperator(at, name, args)
	if len(op.Results) == 1 {
		return []value{out}
	}
	if len(op.Results) == 0 {
		return nil
	}
	return itemsOf(out)
}

// operatorOf is the name of an operator of ATen or of the language, and its overload.
func operatorOf(op *mlir.Operation) (name, overload string, ok bool) {
	full := op.Name
	if full == "torch.operator" {
		text, _ := op.Attrs.Get("name").(mlir.StringAttr)
		full = string(text)
	}
	for _, prefix := range []string{"torch.aten.", "torch.prims.", "torch.prim.", "torch.valsem.aten."} {
		if rest, found := strings.CutPrefix(full, prefix); found {
			name, overload, _ = strings.Cut(rest, ".")
			// Twins of overloads take lists of tensors without None.
			return name, strings.TrimSuffix(strings.TrimSuffix(overload, "hacked_twin"), "_"), true
		}
	}
	return "", "", false
}
