package simplify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// special are elements at which formulas differ that look the same.
var special = []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -2.5, math.Inf(1), math.Inf(-1), math.NaN(), 1e-40, 3e38, 255, -129, 7}

// elements fills a tensor of a type with special numbers.
func elements(r *rand.Rand, t ops.TensorType) *buf.Buffer {
	b := buf.New(t.DType, t.Shape)
	for i := range b.Len() {
		v := special[r.IntN(len(special))]
		switch {
		case t.DType == dtype.Bool:
			b.SetInt64(i, int64(r.IntN(2)))
		case t.DType.IsFloat():
			b.SetFloat64(i, v)
		default:
			b.SetInt64(i, []int64{0, 1, -1, 127, -128, 5}[r.IntN(6)])
		}
	}
	return b
}

// program is a random function of operators that canonicalization knows, most of them on what the last ones gave.
func program(r *rand.Rand) (*mlir.Operation, []*buf.Buffer) {
	module := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, nil)
	module.Body().Append(f)
	body := f.AddRegion().AddBlock()
	e := ops.Emit{Builder: ops.Appender{Builder: mlir.At(body)}}
	var inputs []*buf.Buffer
	var values []ops.Value
	for _, d := range []dtype.DType{dtype.F32, dtype.BF16, dtype.I32, dtype.Bool, dtype.I8, dtype.F64} {
		t := ops.TensorType{DType: d, Shape: []int{2, 3}}
		values = append(values, ops.IRValue{V: body.AddArg(mlir.Tensor(d, t.Shape))})
		inputs = append(inputs, elements(r, t))
	}
	for range 24 {
		x := values[len(values)-1-r.IntN(min(len(values), 5))]
		if r.IntN(4) == 0 {
			x = values[r.IntN(len(values))]
		}
		_ = ops.Try(func() { values = append(values, step(r, e, x, values)) }) // a call that does not fit is left out
	}
	results := make([]*mlir.Value, 0, 8)
	for _, v := range values[max(0, len(values)-8):] {
		results = append(results, ops.ToIR(v))
	}
	body.Append(mlir.NewOp("func.return", results, nil, nil))
	f.Attrs = mlir.Attrs{{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{
			Inputs: mlir.TypesOf(body.Args), Results: mlir.TypesOf(results)}}}}
	return module, inputs
}

func step(r *rand.Rand, e ops.Emit, x ops.Value, values []ops.Value) ops.Value {
	one := func(names ...string) string { return names[r.IntN(len(names))] }
	rank := len(x.Type().Shape)
	dim := func() int { return r.IntN(max(1, rank)) }
	number := []any{0, 0.0, math.Copysign(0, -1), 1, 1.0, -1, 2.5}[r.IntN(7)]
	like := func() ops.Value { // a constant, or a value of the same type
		if r.IntN(2) == 0 {
			return e.Call("full", x.Type().Shape, number, x.Type().DType)
		}
		for range 8 {
			if y := values[r.IntN(len(values))]; y.Type().DType == x.Type().DType {
				return y
			}
		}
		return x
	}
	switch r.IntN(13) {
	case 0, 1:
		return e.Call(one("neg", "abs", "square", "relu", "sign", "ceil", "floor", "round", "trunc", "clone", "alias",
			"bitwise_not", "logical_not", "detach", "contiguous"), x)
	case 2:
		return e.Call(one("mul.Tensor", "div.Tensor", "maximum", "minimum", "floor_divide", "bitwise_or.Tensor",
			"bitwise_and.Tensor", "bitwise_xor.Tensor", "eq.Tensor", "ge.Tensor", "lt.Tensor", "ne.Tensor"), x, like())
	case 3:
		return e.Call(one("maximum", "bitwise_xor.Tensor", "bitwise_and.Tensor", "eq.Tensor", "ge.Tensor", "lt.Tensor"), x, x)
	case 4:
		return e.Call(one("add.Tensor", "sub.Tensor"), x, like(), 1)
	case 5:
		return e.Call(one("add.Scalar", "sub.Scalar"), x, number, 1)
	case 6:
		return e.Call(one("mul.Scalar", "div.Scalar", "pow.Tensor_Scalar"), x, number)
	case 7:
		return e.Call("to.dtype", x, []dtype.DType{dtype.F32, dtype.F64, dtype.BF16, dtype.F16, dtype.I8, dtype.I32,
			dtype.I64, dtype.Bool, dtype.U8}[r.IntN(9)])
	case 8:
		return e.Call("transpose.int", x, dim(), dim())
	case 9:
		return e.Call("permute", x, r.Perm(rank))
	case 10:
		switch r.IntN(5) {
		case 0:
			return e.Call("unsqueeze", x, r.IntN(rank+1))
		case 1:
			return e.Call("squeeze", x)
		case 2:
			return e.Call("ravel", x)
		case 3:
			return e.Call("view", x, []int{3, -1})
		}
		return e.Call("reshape", x, []int{2, 3})
	case 11:
		switch r.IntN(6) {
		case 0:
			return e.Call("expand", x, append([]int{2}, x.Type().Shape...), false)
		case 1:
			return e.Call("slice.Tensor", x, dim(), 0, r.IntN(4), 1)
		case 2:
			return e.Call("constant_pad_nd", x, []int{r.IntN(2), 0}, 0)
		case 3:
			return e.Call(one("tril", "triu"), x, r.IntN(2))
		case 4:
			return e.Call("cat", []ops.Value{x}, 0)
		}
		return e.Call("roll", x, []int{r.IntN(2)}, []int{0})
	}
	if r.IntN(2) == 0 {
		return e.Call(one("zeros_like", "ones_like", "empty_like"), x)
	}
	return e.Call("where.self", values[3], x, like())
}

// TestSimplifiedValues: programs and their canonical forms give the same bits, special numbers included, and the
// canonical form is one.
func TestSimplifiedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	before, after := 0, 0
	for range 400 {
		seed := r.Uint64()
		module, inputs := program(rand.New(rand.NewPCG(seed, 1)))
		text := module.String()
		before += len(module.Funcs()[0].Body().Ops)
		want, err := host.Run(module, inputs)
		if err != nil { // an integer divided by an element 0
			require.ErrorContains(t, err, "floor_divide: index out of range", text)
			continue
		}
		module, _ = program(rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, simplify.Canonicalize(module))
		require.NoError(t, mlir.Verify(module), "%s\nbecomes\n%s", text, module)
		after += len(module.Funcs()[0].Body().Ops)
		canonical := module.String()
		require.NoError(t, simplify.Canonicalize(module))
		require.Equal(t, canonical, module.String(), "canonicalized twice")
		got, err := host.Run(module, inputs)
		require.NoError(t, err, canonical)
		for k := range want {
			require.Equal(t, want[k].DType, got[k].DType)
			require.Equal(t, want[k].Shape, got[k].Shape)
			for i := range want[k].Len() {
				if !sameElement(want[k], got[k], i) {
					t.Fatalf("result %d, element %d: %v, not %v\n%s\nbecomes\n%s", k, i, got[k].Float64(i), want[k].Float64(i),
						text, canonical)
				}
			}
		}
	}
	require.Less(t, after, before*3/4, "%d operations of %d are left", after, before)
}

func sameElement(x, y *buf.Buffer, i int) bool {
	if !x.DType.IsFloat() {
		return x.Int64(i) == y.Int64(i)
	}
	a, b := x.Float64(i), y.Float64(i)
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
