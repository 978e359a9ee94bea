package compiler_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/ops"
)

// compute runs a call of an operator on buffers.
func compute(op *ops.Op, args []ops.Arg) ([]*buf.Buffer, error) {
	c, err := op.NewCall(args...)
	if errors.Is(err, ops.ErrDataDependent) {
		var inputs []*buf.Buffer
		c.Each(func(v ops.Value) { inputs = append(inputs, v.(ops.BufferValue).Buffer) })
		return compiler.RunHost(c, inputs)
	}
	if err != nil {
		return nil, err
	}
	module, values := c.Program()
	exe, err := compiler.Compile(context.Background(), module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	inputs := make([]*buf.Buffer, len(values))
	for i, v := range values {
		inputs[i] = v.(ops.BufferValue).Buffer
	}
	return exe.Run(context.Background(), inputs)
}

// integral are the arguments of a sample with integers from 1 to 3 in the place of its numbers, as tensors of a
// type. It reports false for samples without tensors, of masks, or of complex numbers.
func integral(s ops.Sample, d dtype.DType) ([]ops.Arg, bool) {
	first := dtype.Invalid
	tensor := func(t ops.T) ops.T {
		if first == dtype.Invalid {
			first = t.DType
		}
		if t.DType == first && first.IsFloat() {
			t.DType, t.Low, t.High, t.Values = dtype.I64, 1, 4, nil
		}
		return t
	}
	changed := ops.Sample{}
	for _, a := range s {
		switch v := a.(type) {
		case ops.T:
			a = tensor(v)
		case []ops.T:
			list := make([]ops.T, len(v))
			for i := range v {
				list[i] = tensor(v[i])
			}
			a = list
		}
		changed = append(changed, a)
	}
	as := func(v ops.Value) ops.Value {
		if b, ok := v.(ops.BufferValue); ok && b.Buffer.DType == dtype.I64 {
			return ops.BufferValue{Buffer: moved(b.Buffer, d, 0)}
		}
		return v
	}
	args := changed.Args(rand.New(rand.NewPCG(3, 4)))
	for i := range args {
		switch args[i].Kind {
		case ops.KindTensor:
			args[i] = ops.TensorArg(as(args[i].Tensor()))
		case ops.KindTensors:
			list := make([]ops.Value, len(args[i].Tensors()))
			for k, v := range args[i].Tensors() {
				list[k] = as(v)
			}
			args[i] = ops.TensorsArg(list)
		}
	}
	return args, first.IsFloat() || first.IsInt()
}

// moved has the elements of b plus a number, as another type.
func moved(b *buf.Buffer, d dtype.DType, by int64) *buf.Buffer {
	out := buf.New(d, b.Shape)
	for i := range b.Len() {
		out.SetInt64(i, b.Int64(i)+by)
	}
	return out
}

// differing are the operators whose results depend on the type of the integers that they take: PyTorch has most
// of them for floats alone.
var differing = map[string]string{
	"cumulative_trapezoid.x": "differences", "trapezoid.x": "differences", "trapz.x": "differences",
	"pairwise_distance": "differences", "triplet_margin_loss": "differences", "margin_ranking_loss": "differences",
	"huber_loss": "differences", "smooth_l1_loss": "differences", "binary_cross_entropy": "negative numbers",
	"binary_cross_entropy_with_logits": "negative numbers", "soft_margin_loss": "negative numbers", "hardshrink": "negative bounds", "softshrink": "negative bounds",
	"rnn_relu.input": "sums that become negative", "rnn_relu.data": "sums that become negative",
	"rnn_relu_cell": "sums that become negative",
	"gcd":           "a sample with negative numbers", "lcm": "a sample with negative numbers",
	"view.dtype":     "the bits of the numbers",
	"_embedding_bag": "the least number", "_embedding_bag_forward_only": "the least number",
	"embedding_bag": "the least number", "embedding_bag.padding_idx": "the least number",
}

// Small integers give the same results, modulo the width of the result, in every integer type, for every operator
// that takes them. What is refused are types of indices.
func TestIntegersOfEveryType(t *testing.T) {
	types := []dtype.DType{dtype.U8, dtype.U16, dtype.U32, dtype.I8, dtype.I16, dtype.I32}
	compared := map[string]bool{}
	for n, op := range ops.All() {
		if op.IsInplace() || op.Draws || op.Samples == nil || differing[op.Name()] != "" {
			continue
		}
		s := op.Samples()[0]
		args, ok := integral(s, dtype.I64)
		if !ok {
			continue
		}
		want, err := compute(op, args)
		if err != nil {
			continue // it takes no integers
		}
		for k, d := range append(types[:len(types):len(types)], dtype.U64) {
			if op.Host == nil && k < len(types) && k != n%len(types) {
				continue // loops are made for every type by the same rules
			}
			args, _ := integral(s, d)
			got, err := compute(op, args)
			if err != nil {
				// what an index or a mask may be, and the common type of signed indices and u64
				text := strings.ReplaceAll(err.Error(), "indices", "index")
				require.True(t, strings.Contains(text, "index must be") || strings.Contains(text, "needs int64") ||
					strings.Contains(text, "mask") || strings.Contains(text, "no integer type holds u64 and signed integers") ||
					strings.Contains(text, "seed and counter"), "%s of %v: %v", op.Name(), d, err)
				continue
			}
			require.Len(t, got, len(want))
			for i := range want {
				equalIntegers(t, want[i], got[i], op.Name()+" of "+d.String())
			}
			compared[op.Name()] = true
		}
	}
	for _, name := range []string{"_unique2", "searchsorted.Tensor", "bucketize.Tensor", "sort", "topk", "mode", "isin.Tensor_Tensor",
		"cummax", "bincount", "bitwise_xor.Tensor", "sum", "histc"} {
		require.True(t, compared[name], name)
	}
}

// equalIntegers compares results with results of i64.
func equalIntegers(t *testing.T, want, got *buf.Buffer, what string) {
	require.Equal(t, want.Shape, got.Shape, what)
	for i := range want.Len() {
		switch {
		case got.DType.IsFloat():
			w, g := want.Float64(i), got.Float64(i)
			near := math.Abs(w-g) <= 1e-3*(1+math.Abs(w))
			require.True(t, w == g || near || w != w && g != g, "%s: %v, not %v", what, g, w)
		case got.DType == dtype.Bool:
			require.Equal(t, want.Int64(i), got.Int64(i), what)
		default:
			mask := uint64(math.MaxUint64) >> (64 - got.DType.Bits())
			require.Equal(t, uint64(want.Int64(i))&mask, uint64(got.Int64(i))&mask, what)
		}
	}
}

// Unsigned numbers around the middle of their range, 2^63 for u64, are in the order of the numbers around 0 that are
// so much less: what orders and compares gives the same places, and the same numbers plus the middle.
func TestOrderOfUnsigned(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"_unique", "_unique2", "unique_consecutive", "unique_dim", "sort", "msort", "argsort", "topk",
		"kthvalue", "median", "mode", "max", "min", "argmax", "argmin", "amax", "aminmax", "cummax", "cummin",
		"maximum", "minimum", "lt.Tensor", "ge.Tensor", "eq.Tensor", "searchsorted.Tensor", "bucketize.Tensor",
		"isin.Tensor_Tensor", "clamp.Tensor"} {
		op := ops.MustLookup(name)
		for turn := range 12 {
			d := []dtype.DType{dtype.U8, dtype.U16, dtype.U32, dtype.U64}[turn%4]
			middle := int64(1) << (d.Bits() - 1)
			signed, unsigned := []ops.Arg{}, []ops.Arg{}
			for _, a := range op.Samples()[0] {
				x, ok := a.(ops.T)
				if !ok {
					signed, unsigned = append(signed, ops.ArgOf(a)), append(unsigned, ops.ArgOf(a))
					continue
				}
				x.DType, x.Low, x.High, x.Values = dtype.I64, -9, 9, nil
				if turn > 4 { // too far apart to be counted
					x.Low, x.High = -0.9*math.Ldexp(1, d.Bits()-1), 0.9*math.Ldexp(1, d.Bits()-1)
				}
				b := x.Fill(r)
				if name == "searchsorted.Tensor" || name == "bucketize.Tensor" {
					b = sortedNumbers(t, b)
				}
				signed = append(signed, ops.TensorArg(ops.BufferValue{Buffer: b}))
				unsigned = append(unsigned, ops.TensorArg(ops.BufferValue{Buffer: moved(b, d, middle)}))
			}
			want, err := compute(op, signed)
			require.NoError(t, err, name)
			got, err := compute(op, unsigned)
			require.NoError(t, err, name)
			for i := range want {
				if got[i].DType == d {
					got[i] = moved(got[i], dtype.I64, -middle)
				}
				require.Equal(t, want[i].Shape, got[i].Shape, name)
				require.Equal(t, want[i].Bytes(), got[i].Bytes(), name)
			}
		}
	}
}

// sortedNumbers sorts numbers, along the last dimension.
func sortedNumbers(t *testing.T, b *buf.Buffer) *buf.Buffer {
	out, err := compute(ops.MustLookup("sort"), []ops.Arg{ops.TensorArg(ops.BufferValue{Buffer: b}), ops.IntArg(-1), ops.BoolArg(false)})
	require.NoError(t, err)
	return out[0]
}

// The greatest common divisor and the least common multiple of numbers above 2^63, which as signed ones are negative.
func TestDivisorsOfUnsigned(t *testing.T) {
	const top = 1 << 63
	a, b := buf.From([]uint64{top, top + 3, 1<<64 - 1}, 3), buf.From([]uint64{12, top + 3, 1<<64 - 1}, 3)
	for name, want := range map[string][]uint64{"gcd": {4, top + 3, 1<<64 - 1}, "lcm": {top * 3 & (1<<64 - 1), top + 3, 1<<64 - 1}} {
		got, err := compute(ops.MustLookup(name), []ops.Arg{ops.TensorArg(ops.BufferValue{Buffer: a}), ops.TensorArg(ops.BufferValue{Buffer: b})})
		require.NoError(t, err)
		require.Equal(t, want, buf.Slice[uint64](got[0]), name)
	}
}
