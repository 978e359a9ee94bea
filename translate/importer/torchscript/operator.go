package torchscript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// callOperator calls torch.name, ops.aten.name or ops.prim.name. Static values are computed here: properties of
// tensors, numbers, lists, strings. The rest are operators of package ops.
func (ev *evaluator) callOperator(at script.Position, name string, args arguments) value {
	args = ev.withWrapped(at, name, args)
	if v, ok := ev.quantizedCall(at, name, args); ok {
		return v
	}
	if v, ok := ev.onBytes(at, name, args); ok {
		return v
	}
	return ev.callOn(at, name, args)
}

// callOn is callOperator on the numbers of tensors.
func (ev *evaluator) callOn(at script.Position, name string, args arguments) value {
	if name == "quantized_decomposed::dequantize_per_tensor" {
		if v, ok := ev.weightOfOneScale(at, args); ok {
			return v
		}
	}
	if v, ok := ev.builtin(at, name, args); ok {
		return v
	}
	if v, ok := ev.fold(at, name, args); ok {
		return v
	}
	if v, ok := ev.convertNumber(at, name, args); ok {
		return v
	}
	if f := sharing[name]; f != nil {
		if v, ok := f(ev, at, args); ok {
			return v
		}
	}
	return ev.aten(at, name, args)
}

// builtin tries the functions that are computed here.
func (ev *evaluator) builtin(at script.Position, name string, args arguments) (value, bool) {
	for i, table := range []map[string]builtin{
		languageBuiltins, tensorBuiltins, listBuiltins, textBuiltins} {
		if f := table[name]; f != nil {
			if i >= 2 && !takesOneItem[name] {
				for _, arg := range args.positional {
					ev.charge(at, lengthIn(arg)/itemsPerStep)
				}
			}
			if v, ok := f(ev, at, args); ok {
				return v, true
			}
		}
	}
	if len(args.named) > 0 {
		return nil, false
	}
	v, ok, err := arithmetic(name, args.positional)
	if err != nil {
		ev.fail(at, err)
	}
	return v, ok
}

// takesOneItem holds the functions on containers that look at one item, whatever the length.
var takesOneItem = map[string]bool{"len": true, "append": true, "get": true, "setdefault": true,
	"__range_length": true, "__derive_index": true, "_set_item": true}

// languageBuiltins are the operators that belong to the language and not to tensors.
var languageBuiltins map[string]builtin

func init() { // they refer to the table through the evaluator
	constant := func(v value) builtin {
		return func(*evaluator, script.Position, arguments) (value, bool) { return v, true }
	}
	languageBuiltins = map[string]builtin{
		"__is__": func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
			return args.at(0) == args.at(1), true
		},
		"__isnot__": func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
			return args.at(0) != args.at(1), true
		},
		"__not__": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			return !ev.truth(at, args.at(0)), true
		},
		"sym_ite": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			if ev.truth(at, args.at(0)) {
				return args.at(1), true
			}
			return args.at(2), true
		},
		"set_grad_enabled": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			ev.untracked = !ev.truth(at, args.at(0))
			return nil, true
		},
		"is_grad_enabled": func(ev *evaluator, _ script.Position, _ arguments) (value, bool) { // gradients may be asked for
			return !ev.untracked, true
		},
		"RaiseException": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			failAt(at, "the model raises an exception: %s", text(args.at(0)))
			return nil, true
		},
		"unchecked_cast":              lastArgument,
		"unchecked_unwrap_optional":   unwrapOptional,
		"_unwrap_optional":            unwrapOptional,
		"wait":                        lastArgument,
		"Print":                       constant(nil),
		"warn":                        constant(nil),
		"manual_seed":                 constant(nil),
		"_record_function_enter":      constant(nil),
		"_record_function_exit":       constant(nil),
		"is_scripting":                constant(true),
		"is_tracing":                  constant(false),
		"_get_tracing_state":          constant(false),
		"get_autocast_dtype":          constant(dtype.BF16.TorchCode()),
		"is_autocast_enabled":         constant(false),
		"is_autocast_cpu_enabled":     constant(false),
		"has_torch_function":          constant(false),
		"has_torch_function_unary":    constant(false),
		"has_torch_function_variadic": constant(false),

		// TransformerEncoder computes the padded form then.
		"_nested_tensor_from_mask_left_aligned": constant(false),
	}
}

func lastArgument(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	n := len(args.positional)
	if n == 0 {
		return nil, false
	}
	return args.positional[n-1], true
}

func unwrapOptional(_ *evaluator, at script.Position, args arguments) (value, bool) {
	if args.at(0) == nil {
		failAt(at, "an optional value is None where the program needs it")
	}
	return args.at(0), true
}

// aten calls an operator of package ops. If no overload takes the arguments as they are, numbers in tensors are taken
// out, and then numbers are put into tensors, as TorchScript converts them. Before that an overload that the program
// names takes numbers as Python wraps them.
func (ev *evaluator) aten(at script.Position, name string, args arguments) value {
	args = ev.autocasted(at, name, args)
	op, list, err := ev.resolve(at, name, args, asIs)
	if known := (*ops.UnknownError)(nil); err != nil && !errors.As(err, &known) {
		args = wrapped(name, args)
		for _, c := range []conversion{asIs, tensorsToNumbers, numbersToTensors} {
			if o, l, e := ev.resolve(at, name, args, c); e == nil {
				op, list, err = o, l, nil
				break
			}
		}
	}
	if err != nil {
		if v, ok := ev.into(at, name, args); ok {
			return v
		}
		if v, ok := ev.substitute(at, name, args); ok {
			return v
		}
		ev.fail(at, err)
	}
	if self, ok := args.at(0).(*tensor); ok && op.GivesSelf(list, func(ops.Value) *ops.Ref { return self.ref }) {
		return self
	}
	if op.ReadsMemory {
		list = ev.inMemoryOrder(at, name, op, args.at(0), list)
	}
	if op.IsInplace() {
		ev.checkUnread(at, name, args.at(0))
	}
	var before ops.Value
	if self, ok := args.at(0).(*tensor); ok && op.IsInplace() && ev.untracked {
		before = ev.current(at, self)
	}
	ev.builder.SetLocation(ev.location(at))
	var refs []*ops.Ref
	ev.try(at, func() error {
		refs, err = ops.Apply(ev.builder, op, list, func() *ops.Ref { return ops.NewRef(nil) })
		if _, reads := ev.builder.Reader(); reads && err == ops.ErrDataDependent && !op.IsInplace() {
			refs, err = ev.computed(op, list)
		}
		return err
	})
	if op.IsInplace() {
		if self, ok := args.at(0).(*tensor); ok {
			ev.rewritten(at, self, before)
			self.written = true
			return self
		}
	}
	ev.followMemory(name, op, args, list, refs)
	if ev.untracked && name != "detach" {
		return ev.detached(at, results(op, refs))
	}
	return results(op, refs)
}

// detached returns results of an operator through which no gradient flows.
func (ev *evaluator) detached(at script.Position, v value) value {
	switch v := v.(type) {
	case *tensor:
		if v.typeOf().Differentiable() {
			return ev.aten(at, "detach", arguments{positional: []value{v}})
		}
	case *list:
		for i, item := range v.items {
			v.items[i] = ev.detached(at, item)
		}
	case *tuple:
		for i, item := range v.items {
			v.items[i] = ev.detached(at, item)
		}
	}
	return v
}

// rewritten says of a tensor that was written in place where gradients are off that its gradients flow as they did
// before, when it held another value.
func (ev *evaluator) rewritten(at script.Position, self *tensor, before ops.Value) {
	if before == nil || !before.Type().Differentiable() {
		return
	}
	after := ev.current(at, self)
	ev.try(at, func() error {
		ev.ref(at, self).Write(ev.builder, ops.Emit{Builder: ev.builder}.Call("_rewritten", after, before))
		return nil
	})
}

// computed gives a call to the builder whose result types depend on elements.
func (ev *evaluator) computed(op *ops.Op, args []ops.Arg) ([]*ops.Ref, error) {
	c := &ops.Call{Op: op, Args: args}
	c.Args = c.Map(func(v ops.Value) ops.Value {
		if ref, ok := v.(*ops.Ref); ok {
			return ref.Value(ev.builder)
		}
		return v
	})
	results, err := importer.Compute(ev.builder, c)
	if err != nil {
		return nil, err
	}
	refs := make([]*ops.Ref, len(results))
	for i, v := range results {
		refs[i] = ops.NewRef(v)
	}
	return refs, nil
}

// try runs what gives calls to the builder and reports its errors, whether they are returned or, as
// by package ops in the midst of a view, typed panics.
func (ev *evaluator) try(at script.Position, f func() error) {
	var err error
	if failed := ops.Try(func() { err = f() }); failed != nil {
		err = failed
	}
	if err != nil {
		ev.fail(at, err)
	}
}

// current returns the value of a tensor after all writes so far.
func (ev *evaluator) current(at script.Position, t *tensor) (v ops.Value) {
	ev.try(at, func() error {
		v = ev.ref(at, t).Value(ev.builder)
		return nil
	})
	return v
}

// results turns the results of a call into a value: a tensor, a list or a tuple.
func results(op *ops.Op, refs []*ops.Ref) value {
	items := make([]value, len(refs))
	for i, r := range refs {
		items[i] = &tensor{ref: r}
	}
	returns := op.Parsed().Returns
	switch {
	case len(returns) == 1 && returns[0].List:
		return &list{items: items}
	case len(returns) == 1 && len(items) == 1:
		return items[0]
	case len(returns) == 0:
		return nil
	}
	return &tuple{items: items}
}

// conversion says what becomes of numbers among the arguments of an operator.
type conversion int

const (
	asIs conversion = iota
	tensorsToNumbers
	numbersToTensors
)

// resolve finds the operator: by its overload where the program names one, else by the arguments.
func (ev *evaluator) resolve(at script.Position, name string, args arguments,
	c conversion) (*ops.Op, []ops.Arg, error) {
	base := strings.ReplaceAll(name, "::", ".")
	if len(ops.Overloads(base)) == 0 {
		return nil, nil, &ops.UnknownError{Name: qualified(name)}
	}
	if args.overload != "" {
		base += "." + args.overload
	}
	list := make([]ops.Arg, len(args.positional))
	for i, v := range args.positional {
		list[i] = ev.arg(at, v, c)
	}
	var named map[string]ops.Arg
	for _, n := range args.named {
		if named == nil {
			named = map[string]ops.Arg{}
		}
		named[n.name] = ev.arg(at, n.value, c)
	}
	op, list, err := ops.Resolve(base, list, named)
	if unknown := (*ops.UnknownError)(nil); errors.As(err, &unknown) {
		unknown.Name = qualified(unknown.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	for i, q := range op.Parsed().Params {
		if q.Type == ops.TypeDType && i < len(list) && list[i].Kind == ops.KindInt {
			list[i] = ev.dtypeArg(at, list[i].Int())
		}
	}
	return op, list, nil
}

// The numbers of complex32, in PyTorch's code and in the schema of torch.export.
const torchComplexHalf, schemaComplexHalf = 8, 9

// errComplexHalf is why tensors of complex32 are refused.
var errComplexHalf = errors.New("complex32, complex numbers of two halves, is no element type that is supported: convert to complex64")

// unknownElements is why a number of an element type is refused.
func unknownElements(code, complexHalf int) error {
	if code == complexHalf {
		return errComplexHalf
	}
	return fmt.Errorf("%d is no element type that is supported", code)
}

func (ev *evaluator) dtypeArg(at script.Position, code int) ops.Arg {
	d := dtype.FromTorchCode(code)
	if d == dtype.Invalid {
		failAt(at, "%v", unknownElements(code, torchComplexHalf))
	}
	return ops.DTypeArg(d)
}

// qualified returns the name of an operator as PyTorch writes it.
func qualified(name string) string {
	if strings.Contains(name, "::") {
		return name
	}
	return "aten::" + name
}

// arg converts a value to an argument of an operator.
func (ev *evaluator) arg(at script.Position, v value, c conversion) ops.Arg {
	switch v := v.(type) {
	case nil, unset:
		return ops.Arg{}
	case *tensor:
		if n, ok := v.knownScalar(); ok && c == tensorsToNumbers {
			return ops.ArgOf(n)
		}
		return ops.TensorArg(ev.ref(at, v))
	case bool, int, float64:
		if c == numbersToTensors {
			return ops.TensorArg(ev.ref(at, ev.constantTensor(at, v, 0)))
		}
		return ops.ArgOf(v)
	case complex128, string:
		return ops.ArgOf(v)
	case device:
		return ops.StringArg(string(v))
	case *list:
		return ev.listArg(at, v.items)
	case *tuple:
		return ev.listArg(at, v.items)
	case *tensorSubclass:
		failAt(at, "a %s is given to an operator: "+decompose, kindOf(v))
	}
	failAt(at, "a %s is given to an operator", kindOf(v))
	return ops.Arg{}
}

// listArg converts a list: of tensors and None, or of numbers, which may be in tensors.
func (ev *evaluator) listArg(at script.Position, items []value) ops.Arg {
	ev.charge(at, len(items)/itemsPerStep)
	tensors, plain, floats, bools := 0, 0, 0, 0
	for _, v := range items {
		switch v.(type) {
		case *tensor:
			tensors++
		case nil:
		case float64:
			plain++
			floats++
		case bool:
			plain++
			bools++
		case int:
			plain++
		default:
			failAt(at, "a list of %s is given to an operator", kindOf(v))
		}
	}
	switch {
	case tensors > maxOperands:
		failAt(at, "a list of %d tensors is given to an operator, which takes at most %d", tensors,
			maxOperands)
	case plain == 0 && len(items) > 0:
		list := make([]ops.Value, len(items))
		for i, v := range items {
			if t, ok := v.(*tensor); ok {
				list[i] = ev.ref(at, t)
			}
		}
		return ops.TensorsArg(list)
	case floats > 0:
		return ops.FloatsArg(numbersOf(ev, at, items, func(v value) float64 {
			n, _ := number(v)
			return float(n)
		}))
	case bools > 0 && bools == plain:
		return ops.BoolsArg(numbersOf(ev, at, items, func(v value) bool { return v == value(true) }))
	}
	return ops.IntsArg(numbersOf(ev, at, items, func(v value) int { return ev.intOf(at, v) }))
}

func numbersOf[T any](ev *evaluator, at script.Position, items []value, of func(v value) T) []T {
	out := make([]T, len(items))
	for i, v := range items {
		if t, ok := v.(*tensor); ok {
			v = ev.scalarOf(at, t, "an item of a list of numbers")
		}
		out[i] = of(v)
	}
	return out
}
