package ops_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestInferErrors shows what misuse says: the operator, the shapes and the rule.
func TestInferErrors(t *testing.T) {
	S, i64 := ops.S, func(dims ...int) ops.T { return ops.T{DType: dtype.I64, Shape: dims} }
	for _, c := range []struct {
		op   string
		args ops.Sample
		want string
	}{
		{"view", ops.Sample{S(2, 3), []int{4, -1}},
			"view: shape does not divide the size of the input: [2 3] and [4 -1]"},
		{"view", ops.Sample{S(2, 3), []int{-1, -1}},
			"view: only one extent may be -1: [2 3] and [-1 -1]"},
		{"expand", ops.Sample{S(2, 3), []int{3}},
			"expand: shape [3] has fewer dimensions than the input's [2 3]"},
		{"permute", ops.Sample{S(2, 3), []int{0, 0}}, "permute: dimension 0 is named twice"},
		{"transpose.int", ops.Sample{S(2, 3), 0, 2},
			"transpose.int: dimension 2 is out of range, expected -2 to 1"},
		{"t", ops.Sample{S(2, 3, 4)}, "t: needs at most 2 dimensions, got [2 3 4]"},
		{"select.int", ops.Sample{S(2, 3), 1, 3},
			"select.int: index 3 is out of range for dimension 1 of [2 3]"},
		{"slice.Tensor", ops.Sample{S(4), 0, 0, 4, 0}, "slice.Tensor: step must be positive, got 0"},
		{"narrow", ops.Sample{S(4), 0, 2, 3}, "narrow: start 2 and length 3 exceed dimension 0 of [4]"},
		{"cat", ops.Sample{[]ops.T{S(2, 3), S(3, 3)}, 1},
			"cat: tensor 1 has shape [3 3], which differs from [2 3] in dimension 0, not in 1 only"},
		{"stack", ops.Sample{[]ops.T{S(2), S(3)}}, "stack: tensor 1 has shape [3], not [2] as the first"},
		{"split_with_sizes", ops.Sample{S(5), []int{2, 2}},
			"split_with_sizes: split sizes [2 2] do not sum up to the extent of dimension 0 of [5]"},
		{"where.self", ops.Sample{S(2), S(2), S(2)}, "where.self: condition must be bool, got f32"},
		{"gather", ops.Sample{S(2, 3), 1, i64(3, 1)},
			"gather: index [3 1] does not fit self [2 3] apart from dimension 1"},
		{"gather", ops.Sample{S(2), 0, S(2)}, "gather: index must be int64 or int32, got f32"},
		{"scatter.src", ops.Sample{S(3), 0, i64(3), S(2)},
			"scatter.src: index [3] is larger than src [2]"},
		{"index_add", ops.Sample{S(3, 2), 0, i64(2), S(3, 2)},
			"index_add: source [3 2] must have shape [2 2] for index [2] into dimension 0 of self [3 2]"},
		{"index.Tensor", ops.Sample{S(3), []ops.T{i64(1), i64(1)}},
			"index.Tensor: 2 indices for self [3]"},
		{"as_strided", ops.Sample{S(4), []int{3}, []int{2}},
			"as_strided: size [3] with stride [2] and offset 0 reaches element 4 of [4], which has 4"},
		{"constant_pad_nd", ops.Sample{S(2), []int{-3, 0}},
			"constant_pad_nd: padding [-3 0] of [2] leaves no valid extent of dimension 0"},
		{"reflection_pad1d", ops.Sample{S(1, 3), []int{3, 0}},
			"reflection_pad1d: padding [3 0] is too large for dimension 1 of [1 3]"},
		{"unfold", ops.Sample{S(4), 0, 5, 1},
			"unfold: window of 5 in steps of 1 does not fit dimension 0 of [4]"},
		{"arange.start_step", ops.Sample{0, 5, -1},
			"arange.start_step: end 5 cannot be reached from start 0 in steps of -1"},
		{"floor_divide.Scalar", ops.Sample{i64(2), 0}, "floor_divide.Scalar: integers cannot be divided by 0"},
		{"remainder.Scalar", ops.Sample{i64(2), 0}, "remainder.Scalar: integers cannot be divided by 0"},
		{"fmod.Scalar", ops.Sample{i64(2), 0}, "fmod.Scalar: integers cannot be divided by 0"},
		{"div.Scalar_mode", ops.Sample{i64(2), 0, "trunc"}, "div.Scalar_mode: integers cannot be divided by 0"},
		{"full", ops.Sample{[]int{-1}, 0}, "full: extents must not be negative: [-1]"},
		{"topk", ops.Sample{S(3), 4}, "topk: k is 4, dimension 0 of [3] has 3 elements"},
		{"linalg_inv_ex", ops.Sample{S(2, 3)},
			"linalg_inv_ex: A must be square matrices, got [2 3]"},
		{"_linalg_solve_ex", ops.Sample{S(3, 3), S(2, 1)},
			"_linalg_solve_ex: matrices [3 3] and right hand sides [2 1] do not match"},
		{"linalg_cholesky_ex", ops.Sample{i64(2, 2)},
			"linalg_cholesky_ex: self must be float32 or float64, got i64"},
		{"histc", ops.Sample{ops.T{DType: dtype.C64, Shape: []int{2}}},
			"histc: complex tensors are not supported, got c64"},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args.Args(rand.New(rand.NewPCG(1, 1)))...)
		require.EqualError(t, err, c.want)
	}
}

func TestDataDependent(t *testing.T) {
	mask := ops.T{DType: dtype.Bool, Shape: []int{3}}
	for name, args := range map[string]ops.Sample{
		"nonzero": {ops.S(3)}, "masked_select": {ops.S(3), mask},
		"index.Tensor": {ops.S(3), []ops.T{mask}}, "_unique2": {ops.S(3)},
	} {
		_, err := ops.MustLookup(name).NewCall(args.Args(rand.New(rand.NewPCG(1, 1)))...)
		require.ErrorIs(t, err, ops.ErrDataDependent, name)
	}
}

func TestResolve(t *testing.T) {
	x := ops.S(2).Fill(rand.New(rand.NewPCG(1, 1)))
	v := ops.TensorArg(ops.BufferValue{Buffer: x})
	for _, c := range []struct {
		base  string
		args  []ops.Arg
		named map[string]ops.Arg
		want  string
	}{
		{"add", []ops.Arg{v, v}, nil, "add.Tensor"},
		{"aten::add", []ops.Arg{v, ops.IntArg(2)}, nil, "add.Scalar"},
		{"arange", []ops.Arg{ops.IntArg(2)}, nil, "arange"},
		{"arange", []ops.Arg{ops.IntArg(2), ops.IntArg(5)}, nil, "arange.start"},
		{"squeeze", []ops.Arg{v}, map[string]ops.Arg{"dim": ops.IntArg(0)}, "squeeze.dim"},
		{"split", []ops.Arg{v, ops.IntArg(1)}, nil, "split.Tensor"},
		{"where", []ops.Arg{v, v, ops.FloatArg(1)}, nil, "where.ScalarOther"},
	} {
		op, _, err := ops.Resolve(c.base, c.args, c.named)
		require.NoError(t, err, c.base)
		require.Equal(t, c.want, op.Name())
	}
	for name, want := range map[string]string{"add.Tensor": "add.Tensor", "aten::add.Tensor": "add.Tensor", "view.dtype": "view.dtype",
		"pow_.Scalar": "pow_.Tensor_Scalar", "relu.default": "relu", "view.default": "view"} {
		args := []ops.Arg{v, ops.IntArg(6)}
		switch want {
		case "add.Tensor":
			args[1] = v
		case "relu":
			args = args[:1]
		}
		op, _, err := ops.Resolve(name, args, nil)
		require.NoError(t, err, name)
		require.Equal(t, want, op.Name())
	}
	op, _, err := ops.Resolve("mul.Tensor", []ops.Arg{v, ops.FloatArg(2)}, nil)
	require.NoError(t, err)
	require.Equal(t, "mul.Scalar", op.Name())
	_, _, err = ops.Resolve("bernoulli.default", []ops.Arg{v, ops.FloatArg(0.5)}, nil)
	require.EqualError(t, err, "bernoulli: argument generator is a float, not a generator") // and no other overload
	_, _, err = ops.Resolve("view.no_such", []ops.Arg{v, ops.IntArg(6)}, nil)
	require.ErrorContains(t, err, "unknown operator view.no_such")
	_, _, err = ops.Resolve("relu", []ops.Arg{v}, map[string]ops.Arg{"beta": v})
	require.ErrorContains(t, err, "has no argument beta")
	_, _, err = ops.Resolve("no_such_operator", nil, nil)
	require.EqualError(t, err, "unknown operator no_such_operator")
	_, _, err = ops.Resolve("view", []ops.Arg{v}, nil)
	require.EqualError(t, err, "view: argument size is missing")
}

// TestForArgs picks the overload for numbers where the one named takes tensors.
func TestForArgs(t *testing.T) {
	v := ops.TensorArg(ops.BufferValue{Buffer: ops.S(2).Fill(rand.New(rand.NewPCG(1, 1)))})
	op := ops.MustLookup("mul.Tensor")
	require.Equal(t, "mul.Scalar", op.ForArgs([]ops.Arg{v, ops.IntArg(3)}).Name())
	require.Equal(t, "mul.Tensor", op.ForArgs([]ops.Arg{v, v}).Name())
}

// TestRefusedKinds: an argument that no kernel reads still has to be of its kind, and an operator may return an empty
// list.
func TestRefusedKinds(t *testing.T) {
	v := ops.BufferValue{Buffer: ops.S(2).Fill(rand.New(rand.NewPCG(1, 1)))}
	_, err := ops.MustLookup("_to_copy").NewCall(ops.TensorArg(v), ops.DTypeArg(dtype.F64), ops.TensorsArg([]ops.Value{v}))
	require.EqualError(t, err, "_to_copy: argument layout is a list of tensors, not a layout")
	empty := ops.Sample{ops.T{DType: dtype.C64, Shape: []int{0}}}
	c, err := ops.MustLookup("unbind.int").NewCall(empty.Args(rand.New(rand.NewPCG(1, 1)))...)
	require.NoError(t, err)
	require.Empty(t, c.Out)
}

// TestOverloads: a base name with arguments of some kinds means the overload that TorchScript compiles it to. The file
// has what PyTorch 2.14 says, for the first few arguments of the samples.
func TestOverloads(t *testing.T) {
	text, err := os.ReadFile("testdata/overloads.txt")
	require.NoError(t, err)
	alike := map[string]string{"bernoulli.p": "bernoulli.float", "to.prim_Device": "to.prim_dtype", "to.dtype": "to.prim_dtype",
		"to.dtype_layout": "to.prim_dtype"} // overloads that compute the same
	x := ops.TensorArg(ops.BufferValue{Buffer: ops.S(2).Fill(rand.New(rand.NewPCG(1, 1)))})
	kinds := map[string]ops.Arg{"tensor": x, "list of tensors": ops.TensorsArg([]ops.Value{x.Tensor()}), "int": ops.IntArg(6),
		"float": ops.FloatArg(0.5), "bool": ops.BoolArg(true), "complex": ops.ComplexArg(1i), "list of ints": ops.IntsArg([]int{1}),
		"list of floats": ops.FloatsArg([]float64{1}), "list of bools": ops.BoolsArg([]bool{true}), "string": ops.StringArg("x"), "none": {}}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		want, list, _ := strings.Cut(line, "\t")
		base, overload, _ := strings.Cut(want, ".")
		var args []ops.Arg
		for _, kind := range strings.Split(list, ",") {
			args = append(args, kinds[kind])
		}
		op, _, err := ops.Resolve(base, args, nil)
		if err != nil && ops.Lookup(want) == nil {
			continue // the operator set has no such overload
		}
		require.NoError(t, err, line)
		if have := op.Name(); have != want && have != alike[want] && !sameWithDefaults(overload, op.Parsed().Overload) {
			t.Errorf("%s: %s", line, have)
		}
	}
}

// sameWithDefaults reports whether overload b is overload a with parameters added whose defaults compute the same.
func sameWithDefaults(a, b string) bool {
	return a == "" && b == "vec" || a == "dim" && b == "correction"
}

// TestComplexPromotion: a complex tensor without dimensions makes the type of vectors complex, with parts of their
// type. The types come from PyTorch 2.14.
func TestComplexPromotion(t *testing.T) {
	value := func(d dtype.DType, shape ...int) ops.Arg {
		return ops.TensorArg(ops.BufferValue{Buffer: buf.New(d, shape)})
	}
	for _, c := range []struct{ vector, number, want dtype.DType }{
		{dtype.I64, dtype.C128, dtype.C128}, {dtype.Bool, dtype.C64, dtype.C64},
		{dtype.F32, dtype.C128, dtype.C64}, {dtype.F64, dtype.C64, dtype.C128}, {dtype.C64, dtype.C128, dtype.C64},
	} {
		call, err := ops.MustLookup("mul.Tensor").NewCall(value(c.vector, 2), value(c.number))
		require.NoError(t, err)
		require.Equal(t, c.want, call.Out[0].DType, "%v with %v", c.vector, c.number)
	}
}
