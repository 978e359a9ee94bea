package stablehlo

import (
	"errors"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/stablehlo/expand"
)

// maxOperations bounds how many operations calls may expand to.
const maxOperations = 1 << 20

// UnsupportedError says that an operation cannot be lowered.
type UnsupportedError = importer.UnsupportedError

// Has reports whether a module has operations of the stablehlo or chlo dialects.
func Has(module *mlir.Operation) bool {
	found := false
	module.Walk(func(op *mlir.Operation) { found = found || ours(op.Name) })
	return found
}

func ours(name string) bool {
	dialect, _, _ := strings.Cut(name, ".")
	return dialect == "stablehlo" || dialect == "chlo" || dialect == "sdy" || dialect == "interpreter"
}

// Lower rewrites a module in place. Public functions keep their names; calls are expanded,
// and functions that are private go. The first operation that has no form in acap is an error with its place.
func Lower(module *mlir.Operation) error {
	if err := expand.Module(module); err != nil {
		return err
	}
	old := module.Body().Ops
	module.Body().Ops = nil
	l := &lowering{module: module, functions: map[string]*mlir.Operation{},
		joined: map[*mlir.Value][2]*mlir.Value{}}
	for _, f := range old {
		if f.Name == "func.func" {
			l.functions[f.Symbol()] = f
		}
	}
	for _, f := range old {
		if f.Name == "sdy.mesh" || f.Name == "func.func" && len(old) > 1 && f.IsPrivate() {
			continue
		}
		if f.Name == "func.func" && f.Body() != nil {
			if err := l.function(f); err != nil {
				return err
			}
		}
		module.Body().Append(f)
	}
	return nil
}

type lowering struct {
	module    *mlir.Operation
	functions map[string]*mlir.Operation
	calls     []string                       // that are being expanded
	joined    map[*mlir.Value][2]*mlir.Value // the parts of complex tensors
	count     int                            // operations so far
}

// block lowers the operations of a block into another one.
type block struct {
	*lowering
	b      *mlir.Builder
	values map[*mlir.Value]*mlir.Value
	op     *mlir.Operation // at which it is
}

// function lowers a body in place.
func (l *lowering) function(f *mlir.Operation) (err error) {
	body := f.Body()
	c := &block{lowering: l, b: mlir.At(&mlir.Block{Region: body.Region}), values: map[*mlir.Value]*mlir.Value{}}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *UnsupportedError:
			err = p
		default:
			panic(p)
		}
	}()
	if len(f.Regions[0].Blocks) != 1 {
		c.op = f
		c.fail("has several blocks")
	}
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	signature, _ := t.Type.(mlir.FunctionType)
	c.op = f
	signature.Inputs = c.boundary(signature.Inputs)
	for i, arg := range body.Args {
		arg.Type = signature.Inputs[i]
		c.values[arg] = c.signless(arg)
	}
	old := body.Ops
	results := c.operations(old)
	signature.Results = c.boundary(signature.Results) // after the operations: what gives an open extent is named
	for i, v := range results {
		results[i] = c.typed(v, signature.Results[i])
	}
	last := mlir.NewOp("func.return", results, nil, nil)
	last.Loc = old[len(old)-1].Loc
	c.b.Insert(last)
	body.Ops = c.b.Block.Ops
	for _, op := range body.Ops {
		op.Block = body
	}
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: signature}).Without("res_attrs").Without("arg_attrs")
	return nil
}

// boundary returns the types of a function's arguments or results: unsigned where the element
// type is one of a tensor in memory, signless otherwise.
func (c *block) boundary(types []mlir.Type) []mlir.Type {
	out := make([]mlir.Type, len(types))
	for i, t := range types {
		u, ok := t.(mlir.TensorType)
		if !ok {
			c.fail("a value of type %s", t)
		}
		c.checked(u)
		if mlir.DTypeOf(u.Elem) == 0 {
			u.Elem = signlessElem(u.Elem)
		}
		out[i] = mlir.TensorType{Shape: u.Shape, Elem: u.Elem}
	}
	return out
}

// checked panics for tensors that are not supported.
func (c *block) checked(t mlir.TensorType) {
	for _, n := range t.Shape {
		if n < 0 {
			c.open(t)
		}
	}
	if mlir.DTypeOf(signlessElem(t.Elem)) == 0 {
		c.fail("elements of type %s", t.Elem)
	}
}

// open refuses a tensor of open extents, and says where these come from.
func (c *block) open(t mlir.TensorType) {
	if c.op.Name == "func.func" {
		c.fail("an argument or result is %s: give inputs, or types whose extents are numbers", t)
	}
	for i, v := range c.op.Operands {
		u, _ := v.Type.(mlir.TensorType)
		if _, integer := u.Elem.(mlir.IntegerType); integer && mlir.ConstantValue(v) == nil && strings.Contains(c.op.Name, "dynamic_") {
			c.fail("an extent of %s is a value of the running program, operand %d; extents are fixed when a program is compiled: "+
				"have this operand be a constant, or computed of constants and get_dimension_size", t, i)
		}
	}
	c.fail("%s has extents that neither the inputs nor constants tell", t)
}

// signlessElem is the type that elements have in the linalg form: signless, and wider where memory has no
// such type, i8 for integers of 2 and 4 bits and f32 for floats of 8 bits and less, which hold their values.
func signlessElem(t mlir.Type) mlir.Type {
	if isTiny(t) {
		return mlir.F32
	}
	if i, ok := t.(mlir.IntegerType); ok {
		i.Signedness = mlir.Signless
		if isNarrow(t) {
			i.Width = 8
		}
		return i
	}
	return t
}

// isNarrow reports whether integers are smaller than memory holds them.
func isNarrow(t mlir.Type) bool {
	i, ok := t.(mlir.IntegerType)
	return ok && (i.Width == 2 || i.Width == 4)
}

// signless reinterprets a tensor of unsigned integers.
func (c *block) signless(v *mlir.Value) *mlir.Value {
	t := v.Type.(mlir.TensorType)
	t.Elem = signlessElem(t.Elem)
	return c.typed(v, t)
}

// typed gives a tensor a type that differs in its sign only, or the type that holds its floats of 8 bits in memory.
func (c *block) typed(v *mlir.Value, t mlir.Type) *mlir.Value {
	from, to := v.Type.(mlir.TensorType), t.(mlir.TensorType)
	bits := mlir.TensorType{Shape: to.Shape, Elem: mlir.I8}
	switch {
	case mlir.SameType(v.Type, t):
		return v
	case isTiny(from.Elem):
		return c.decoded(c.b.Create("tensor.bitcast", []*mlir.Value{v}, []mlir.Type{bits}, nil).Result(), from.Elem)
	case isTiny(to.Elem):
		v = c.encoded(v, to.Elem)
	}
	return c.b.Create("tensor.bitcast", []*mlir.Value{v}, []mlir.Type{t}, nil).Result()
}

func (c *block) fail(format string, args ...any) {
	panic(importer.Unsupported(c.op, format, args...))
}

// operations lowers a list that ends with a return, and gives what it returns.
func (c *block) operations(list []*mlir.Operation) []*mlir.Value {
	for _, op := range list {
		c.op, c.b.Loc = op, op.Loc
		if c.count++; c.count > maxOperations {
			c.fail("calls expand to more than %d operations", maxOperations)
		}
		switch op.Name {
		case "func.return", "stablehlo.return":
			out := make([]*mlir.Value, len(op.Operands))
			for i, v := range op.Operands {
				out[i] = c.value(v)
			}
			return out
		case "func.call", "stablehlo.composite":
			c.call(op)
			continue
		}
		for _, v := range append(op.Operands[:len(op.Operands):len(op.Operands)], op.Results...) {
			if t, ok := v.Type.(mlir.TensorType); ok {
				c.checked(t)
				if _, complex := t.Elem.(mlir.ComplexType); complex && !joins[op.Name] {
					c.fail("elements of type %s", t.Elem)
				}
			}
		}
		if !ours(op.Name) {
			c.other(op)
			continue
		}
		c.lower(op)
	}
	c.fail("ends without a return")
	return nil
}

// other keeps an operation of another dialect.
func (c *block) other(op *mlir.Operation) {
	if len(op.Regions) > 0 && !strings.HasPrefix(op.Name, "linalg.") {
		c.fail("an operation of another dialect with regions")
	}
	visible := map[*mlir.Value]*mlir.Value{}
	op.Walk(func(inner *mlir.Operation) {
		if inner != op && ours(inner.Name) {
			c.fail("%s in an operation of another dialect", inner.Name)
		}
		for _, v := range inner.Operands {
			if w := c.values[v]; w != nil {
				visible[v] = w
			}
		}
	})
	for _, v := range op.Operands {
		c.value(v)
	}
	d := op.Clone(visible)
	if op.Name == "arith.constant" {
		c.set(op, c.constant(op.Attrs.Get("value")))
		return
	}
	c.b.Insert(d)
	for i, r := range op.Results {
		c.values[r] = d.Results[i]
	}
}

func (c *block) value(v *mlir.Value) *mlir.Value {
	if w := c.values[v]; w != nil {
		return w
	}
	c.fail("an operand is not visible here")
	return nil
}

// in returns the lowered operands.
func (c *block) in(op *mlir.Operation) []*mlir.Value {
	out := make([]*mlir.Value, len(op.Operands))
	for i, v := range op.Operands {
		out[i] = c.value(v)
	}
	return out
}

func (c *block) set(op *mlir.Operation, results ...*mlir.Value) {
	for i, r := range op.Results {
		want := r.Type.(mlir.TensorType)
		want.Elem, want.Encoding = signlessElem(want.Elem), nil
		if !mlir.SameType(results[i].Type, want) {
			c.fail("the result has the type %s, not %s", results[i].Type, want)
		}
		c.values[r] = results[i]
	}
}

// call expands a call.
func (c *block) call(op *mlir.Operation) {
	name := ""
	for _, attr := range []string{"callee", "decomposition"} {
		if ref, ok := op.Attrs.Get(attr).(mlir.SymbolRefAttr); ok && len(ref) == 1 {
			name = ref[0]
		}
	}
	f := c.functions[name]
	if f == nil || f.Body() == nil || len(f.Regions[0].Blocks) != 1 || len(f.Body().Args) != len(op.Operands) {
		c.fail("a call of @%s, which has no body that fits", name)
	}
	for _, outer := range c.calls {
		if outer == name {
			c.fail("@%s calls itself", name)
		}
	}
	c.calls = append(c.calls, name)
	inner := &block{lowering: c.lowering, b: c.b, values: map[*mlir.Value]*mlir.Value{}}
	for i, arg := range f.Body().Args {
		inner.values[arg] = c.value(op.Operands[i])
	}
	results := inner.operations(f.Body().Ops)
	c.calls = c.calls[:len(c.calls)-1]
	c.op = op
	c.set(op, results...)
}

// Emit implements [ops.Builder].
func (c *block) Emit(call *ops.Call) []ops.Value {
	return ops.ResultsOf(c.b.Insert(call.Operation(ops.ToIR)))
}

// aten appends a call of an ATen operator and returns the first result. Tensors among the arguments are *mlir.Value.
func (c *block) aten(name string, args ...any) *mlir.Value { return c.all(name, args...)[0] }

// all is aten that returns all results.
func (c *block) all(name string, args ...any) (results []*mlir.Value) {
	for i, a := range args {
		if v, ok := a.(*mlir.Value); ok {
			args[i] = ops.IRValue{V: v}
		}
	}
	if err := ops.Try(func() {
		for _, v := range (ops.Emit{Builder: c}).Calls(name, args...) {
			results = append(results, ops.ToIR(v))
		}
	}); err != nil {
		c.fail("%v", err)
	}
	return results
}

// shapes returns a builder of slices, paddings and permutations.
func (c *block) shapes() *ops.Lowering { return ops.NewLowering(c.b.Block, c.b.Loc, nil) }

func lowered(v *mlir.Value) ops.Lowered {
	return ops.Lowered{V: v, D: mlir.DTypeOf(v.Type.(mlir.TensorType).Elem)}
}

func shapeOf(v *mlir.Value) []int    { return v.Type.(mlir.TensorType).Shape }
func elemOf(v *mlir.Value) mlir.Type { return v.Type.(mlir.TensorType).Elem }

// list reads a list of n integers, or gives n times def where there is none.
func (c *block) list(op *mlir.Operation, name string, n, def int) []int {
	a := op.Attrs.Get(name)
	if a == nil {
		out := make([]int, n)
		for i := range out {
			out[i] = def
		}
		return out
	}
	out, ok := mlir.IntList(a)
	if !ok || n >= 0 && len(out) != n {
		c.fail("%s must be %d integers", name, n)
	}
	return out
}

func (c *block) integer(op *mlir.Operation, name string, def int) int {
	if a, ok := op.Attrs.Get(name).(mlir.IntegerAttr); ok {
		return int(a.Value)
	}
	return def
}

// dims checks that numbers are distinct dimensions of a rank.
func (c *block) dims(name string, list []int, rank int) []int {
	seen := map[int]bool{}
	for _, d := range list {
		if d < 0 || d >= rank || seen[d] {
			c.fail("%s %v of %d dimensions", name, list, rank)
		}
		seen[d] = true
	}
	return list
}

// IsUnsupported reports whether an error says that something cannot be lowered.
func IsUnsupported(err error) bool {
	var e *UnsupportedError
	return errors.As(err, &e)
}
