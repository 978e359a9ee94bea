package ops_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// TestArgs: an argument has the kind and the value that it was made of, a copy shares no list with it, and what has
// another value or kind has another hash.
func TestArgs(t *testing.T) {
	v := ops.Value(&typed{dtype.F32, []int{2}})
	seen := map[ops.Hash]any{}
	for _, c := range []struct {
		of   any
		kind ops.Kind
		get  func(a *ops.Arg) any
	}{
		{nil, ops.KindNone, func(a *ops.Arg) any { return nil }}, {v, ops.KindTensor, func(a *ops.Arg) any { return a.Tensor() }},
		{3, ops.KindInt, func(a *ops.Arg) any { return a.Int() }}, {4, ops.KindInt, func(a *ops.Arg) any { return a.Int() }},
		{2.5, ops.KindFloat, func(a *ops.Arg) any { return a.Float() }}, {3., ops.KindFloat, func(a *ops.Arg) any { return a.Float() }},
		{true, ops.KindBool, func(a *ops.Arg) any { return a.Bool() }}, {false, ops.KindBool, func(a *ops.Arg) any { return a.Bool() }},
		{1 + 2i, ops.KindComplex, func(a *ops.Arg) any { return a.Complex() }}, {2 + 1i, ops.KindComplex, func(a *ops.Arg) any { return a.Complex() }},
		{[]int{1, 2}, ops.KindInts, func(a *ops.Arg) any { return a.Ints() }}, {[]int{2, 1}, ops.KindInts, func(a *ops.Arg) any { return a.Ints() }},
		{[]float64{1, 2}, ops.KindFloats, func(a *ops.Arg) any { return a.Floats() }}, {[]float64{1}, ops.KindFloats, func(a *ops.Arg) any { return a.Floats() }},
		{[]bool{true, false}, ops.KindBools, func(a *ops.Arg) any { return a.Bools() }}, {[]bool{false, true}, ops.KindBools, func(a *ops.Arg) any { return a.Bools() }},
		{"sum", ops.KindString, func(a *ops.Arg) any { return a.Text() }}, {"mus", ops.KindString, func(a *ops.Arg) any { return a.Text() }},
		{dtype.F16, ops.KindDType, func(a *ops.Arg) any { return a.DType() }}, {dtype.BF16, ops.KindDType, func(a *ops.Arg) any { return a.DType() }},
	} {
		a := ops.ArgOf(c.of)
		require.Equal(t, c.kind, a.Kind)
		require.Equal(t, c.of == nil, a.IsNone())
		require.Equal(t, c.of, c.get(&a))
		again := ops.ArgOf(a)
		require.Equal(t, c.of, c.get(&again))
		copied := a.Clone()
		require.Equal(t, c.of, c.get(&copied))
		if c.kind != ops.KindTensor {
			h := a.Hash(ops.Hash{})
			require.Equal(t, h, copied.Hash(ops.Hash{}))
			require.NotContains(t, seen, h, "%v and %v", c.of, seen[h])
			seen[h] = c.of
		}
		switch list := c.get(&copied).(type) {
		case []int:
			list[0] = 9
		case []float64:
			list[0] = 9
		case []bool:
			list[0] = !list[0]
		}
		require.Equal(t, c.of, c.get(&a))
	}
	require.True(t, func() bool { a := ops.TensorArg(nil); return a.IsNone() }())
	float, whole := ops.FloatArg(-2.75), ops.IntArg(-2)
	require.Equal(t, -2, float.Int())
	require.Equal(t, -2., whole.Float())
	ints := ops.IntsArg([]int{1, 2})
	require.Equal(t, []float64{1, 2}, ints.Floats())
	pair := ops.ComplexArg(3 + 4i)
	require.Equal(t, 3., pair.Float())
}

// TestConversions: each kind of argument that a parameter takes, which PyTorch's parser converts as well, and the
// message of each that it does not take.
func TestConversions(t *testing.T) {
	x := &typed{dtype.F32, []int{2, 3}}
	for _, c := range []struct {
		op   string
		args []any
		at   int    // the argument that is given another way
		as   any    // the same value
		want string // or why it is refused
	}{
		{"cumsum", []any{x, 1}, 1, true, ""}, {"cumsum", []any{x, 1}, 1, 1.0, "argument dim is a float, not a int"},
		{"cumsum", []any{x, 1}, 1, nil, "argument dim is a none, not a int"}, {"cumsum", []any{x, 1}, 0, 1, "argument self is a int, not a tensor"},
		{"argmax", []any{x, 1, true}, 2, 1, ""}, {"argmax", []any{x, 1, true}, 2, 1.5, "argument keepdim is a float, not a bool"},
		{"argmax", []any{x, nil, true}, 2, "x", "argument keepdim is a string, not a bool"},
		{"permute", []any{x, []int{1, 0}}, 1, []float64{1, 0}, "argument dims is a list of floats, not a list of ints"},
		{"sum.dim_IntList", []any{x, []int{1}}, 1, 1, ""}, {"sum.dim_IntList", []any{x, []int{1}}, 1, "a", "argument dim is a string, not a list of ints"},
		{"native_layer_norm", []any{x, []int{3}, nil, nil, 1.0}, 4, 1, ""}, {"native_layer_norm", []any{x, []int{3}, nil, nil, 1.0}, 4, true, ""},
		{"native_layer_norm", []any{x, []int{3}, nil, nil, 1.0}, 4, "x", "argument eps is a string, not a float"},
		{"add.Scalar", []any{x, 2}, 1, 2.5, ""}, {"add.Scalar", []any{x, 2}, 1, true, ""}, {"add.Scalar", []any{x, 2}, 1, []int{2}, "argument other is a list of ints, not a number"},
		{"gelu", []any{x, "tanh"}, 1, 1, "argument approximate is a int, not a string"},
		{"_to_copy", []any{x, dtype.F16}, 1, "f16", "argument dtype is a string, not a dtype"},
		{"upsample_nearest2d.vec", []any{&typed{dtype.F32, []int{1, 1, 2, 2}}, nil, []float64{2, 3}}, 2, []int{2, 3}, ""},
		{"upsample_nearest2d.vec", []any{&typed{dtype.F32, []int{1, 1, 2, 2}}, nil, []float64{2, 3}}, 2, "x", "argument scale_factors is a string, not a list of floats"},
		{"cat", []any{[]ops.Value{x, x}}, 0, x, "argument tensors is a tensor, not a list of tensors"}, {"cat", []any{[]ops.Value{x, x}}, 0, []int{}, "needs at least one tensor"},
		{"cat", []any{[]ops.Value{x, x}}, 0, []int{1}, "argument tensors is a list of ints, not a list of tensors"},
		{"cat", []any{[]ops.Value{x, x}}, 0, []ops.Value{x, nil}, "tensor 1 of argument tensors is absent"},
		{"mse_loss", []any{x, x, 1}, 2, "mean", ""}, {"mse_loss", []any{x, x, 1}, 2, 2, ""}, {"mse_loss", []any{x, x, 1}, 2, 3, "argument reduction is 3; there is none (0), mean (1) and sum (2)"},
		{"mse_loss", []any{x, x, 1}, 2, -1, "argument reduction is -1; there is"}, {"mse_loss", []any{x, x, 1}, 2, "max", `argument reduction is "max"; there is`},
		{"mse_loss", []any{x, x, 1}, 2, 1.5, "argument reduction is a float, not a int"},
	} {
		args := func(as any) []ops.Arg {
			list := make([]ops.Arg, len(c.args))
			for i, a := range c.args {
				if i == c.at {
					a = as
				}
				list[i] = ops.ArgOf(a)
			}
			return list
		}
		op := ops.MustLookup(c.op)
		_, err := op.NewCall(args(c.args[c.at])...)
		require.NoError(t, err, c.op)
		call, err := op.NewCall(args(c.as)...)
		if c.want != "" {
			require.ErrorContains(t, err, c.op+": "+c.want)
			continue
		}
		require.NoError(t, err, "%s with %v", c.op, c.as)
		q := op.Parsed().Params[c.at]
		if kind := ops.ArgOf(c.args[c.at]).Kind; q.Type != ops.TypeScalar {
			require.Equal(t, kind, call.Args[c.at].Kind, c.op)
		}
	}
	_, err := ops.MustLookup("relu").NewCall()
	require.EqualError(t, err, "relu: argument self is missing")
	_, err = ops.MustLookup("relu").NewCall(ops.TensorArg(x), ops.IntArg(1))
	require.EqualError(t, err, "relu: takes at most 1 arguments, got 2")
	require.Equal(t, []string{"sum", "mean", "max"}, ops.MustLookup("embedding_bag").Enumeration(4))
	require.Nil(t, ops.MustLookup("cumsum").Enumeration(1))
}

// TestAttributes: every sample is the same call after it was an operation of the aten dialect, and so are arguments
// that no sample has.
func TestAttributes(t *testing.T) {
	check := func(c *ops.Call) {
		values := map[*mlir.Value]ops.Value{}
		op := c.Operation(func(v ops.Value) *mlir.Value {
			w := &mlir.Value{Type: mlir.TensorType{Shape: v.Type().Shape, Elem: mlir.ElemType(v.Type().DType)}}
			values[w] = v
			return w
		})
		back, err := ops.FromOperation(op, func(v *mlir.Value) ops.Value { return values[v] })
		if !errors.Is(err, ops.ErrDataDependent) {
			require.NoError(t, err, "%v", op)
		}
		require.Equal(t, c.Out, back.Out)
		for i := range c.Args {
			require.Equal(t, c.Args[i], back.Args[i], "%s, argument %d", c.Op.Name(), i)
		}
	}
	for _, op := range ops.All() {
		if op.IsInplace() {
			continue
		}
		for _, s := range op.Samples() {
			c, err := op.NewCall(s.Args(rand.New(rand.NewPCG(1, 1)))...)
			if err == nil {
				check(c)
			}
		}
	}
}

// TestNames: an unknown name has a hint, the overloads of its base or the nearest name; so has an argument.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"add": "; there is add.Scalar and add.Tensor", "aten::add.Nothing": "; there is add.Scalar and add.Tensor",
		"rleu": "; did you mean relu?", "qqqqqqqqqqq": "", "torch.aten.nope": "", "squeeze.x": "; there is squeeze, squeeze.dim and squeeze.dims",
		"aten::_nested_view_from_buffer": ": nested tensors are not supported: pad them",
	} {
		require.Equal(t, want, (&ops.UnknownError{Name: name}).Hint(), name)
	}
	sum := ops.MustLookup("sum.dim_IntList")
	require.EqualError(t, sum.NoParamError("keepdims"), "sum.dim_IntList: has no argument keepdims; did you mean keepdim?")
	require.EqualError(t, sum.NoParamError("wonderful"), "sum.dim_IntList: has no argument wonderful")
	for _, c := range []struct{ word, want string }{
		{"abc", "abc"}, {"acb", "abc"}, {"ab", "abc"}, {"abcd", "abc"}, {"xbc", "abc"}, {"xyc", ""}, {"xyz", ""}, {"", ""},
		{"longer wrd", "longer word"}, {"logner wodr", "longer word"}, {"longer", ""},
	} {
		require.Equal(t, c.want, ops.Nearest(c.word, []string{"abc", "longer word"}), c.word)
	}
	for _, name := range []string{"add.Tensor", "aten.add.Tensor", "aten::add.Tensor"} {
		require.Equal(t, "add.Tensor", ops.Lookup(name).Name())
	}
	require.Equal(t, "relu", ops.Lookup("relu.default").Name())
	require.Nil(t, ops.Lookup("relu.other"))
}

// TestRefusedOperators: an operator that does not say how it computes, or whose name is taken, is not registered.
func TestRefusedOperators(t *testing.T) {
	expand := func(e ops.Emit, c *ops.Call) []ops.Value { return []ops.Value{c.Tensor(0)} }
	lower := func(l *ops.Lowering, c *ops.Call) []*mlir.Value { return nil }
	infer := func(c *ops.Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) }
	before := len(ops.All())
	for want, op := range map[string]*ops.Op{
		`ops: schema "f(": column 3: expected a name`:                          {Schema: "f(", Expand: expand},
		"ops: there is an operator relu already":                               {Schema: "relu(Tensor self) -> Tensor", Expand: expand},
		"ops: there is an operator abs_ already":                               {Schema: "abs_(Tensor self) -> Tensor", Expand: expand},
		"ops: refused_a needs Infer and exactly one of Expand, Lower and Host": {Schema: "refused_a(Tensor self) -> Tensor", Infer: infer},
		"ops: refused_b needs Infer and exactly one of Expand, Lower and Host": {Schema: "refused_b(Tensor self) -> Tensor", Lower: lower},
		"ops: refused_c needs Infer and exactly one of Expand, Lower and Host": {Schema: "refused_c(Tensor self) -> Tensor", Infer: infer, Lower: lower, Expand: expand},
		"ops: refused_d cannot work in place":                                  {Schema: "refused_d(int self) -> Tensor", Infer: infer, Expand: expand, Inplace: true},
		"ops: refused_e cannot work in place":                                  {Schema: "refused_e(Tensor self) -> (Tensor, Tensor)", Infer: infer, Expand: expand, Inplace: true},
		"ops: refused_f cannot work in place":                                  {Schema: "refused_f() -> Tensor", Infer: infer, Expand: expand, Inplace: true},
	} {
		for range 2 { // an operator that was refused may be offered again
			require.ErrorContains(t, ops.Register(op), want)
		}
	}
	require.Len(t, ops.All(), before)
	require.EqualError(t, ops.Register(ops.MustLookup("relu")), "ops: relu is registered already")
}

// TestTry: the typed panics of expressions become errors, and others go on.
func TestTry(t *testing.T) {
	for _, want := range []error{&ops.ShapeError{Op: "a"}, &ops.DTypeError{Op: "a"}, &ops.ArgError{Op: "a"}, &ops.OpenError{}, &shape.Error{}, &shape.DimError{}} {
		require.Same(t, want, ops.Try(func() { panic(want) }))
	}
	require.NoError(t, ops.Try(func() {}))
	require.PanicsWithValue(t, "other", func() { _ = ops.Try(func() { panic("other") }) })
	for _, err := range []error{&ops.ShapeError{Op: "a", Detail: "b"}, &ops.DTypeError{Op: "a", Detail: "b"}, &ops.ArgError{Op: "a", Detail: "b"}} {
		require.EqualError(t, err, "a: b")
		require.EqualError(t, ops.At(err, "x.go:3"), "x.go:3: a: b")
	}
	require.NoError(t, ops.At(errors.New("other"), "x.go:3"))
}
