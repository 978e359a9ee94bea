package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// fixedLinear is a product with the exponential of a constant matrix, which is computed once.
const fixedLinear = `func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
	%c = arith.constant dense<0.001> : tensor<256xf32>
	%z = arith.constant dense<0.0> : tensor<64x256xf32>
	%e = tensor.empty() : tensor<256x256xf32>
	%i = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
		ins(%c : tensor<256xf32>) outs(%e : tensor<256x256xf32>) {
		^bb0(%a: f32, %o: f32):
			%p = linalg.index 0 : index
			%q = arith.index_cast %p : index to i64
			%r = arith.sitofp %q : i64 to f32
			%s = arith.mulf %r, %a : f32
			%t = math.exp %s : f32
			linalg.yield %t : f32
		} -> tensor<256x256xf32>
	%m = linalg.matmul ins(%x, %i : tensor<64x256xf32>, tensor<256x256xf32>) outs(%z : tensor<64x256xf32>) -> tensor<64x256xf32>
	return %m : tensor<64x256xf32>
}`

// TestPrepared: what one program has computed once serves an equal one, and nothing else does.
func TestPrepared(t *testing.T) {
	x := buf.New(dtype.F32, []int{64, 256})
	for i := range x.Len() {
		x.SetFloat64(i, float64(i%13)-6)
	}
	p := compile(t, fixedLinear, Options{})
	once, err := p.Prepared()
	require.NoError(t, err)
	require.Equal(t, p.Stats().FixedBytes, len(once.Fixed))
	want := run(t, p, x)[0].Bytes()
	q := compile(t, fixedLinear, Options{})
	require.NoError(t, q.Prepare(once))
	require.Equal(t, want, run(t, q, x)[0].Bytes())
	again, err := q.Prepared()
	require.NoError(t, err)
	require.Equal(t, once.Fixed, again.Fixed)
	require.Equal(t, once.Packed, again.Packed)

	if len(once.Fixed) > 0 {
		other := &Prepared{Fixed: make([]byte, len(once.Fixed)), Packed: make([][]byte, len(once.Packed))}
		for i, b := range once.Packed {
			other.Packed[i] = make([]byte, len(b))
		}
		r := compile(t, fixedLinear, Options{})
		require.NoError(t, r.Prepare(other))
		require.NotEqual(t, want, run(t, r, x)[0].Bytes(), "it is used, and not computed")
	}
	r := compile(t, fixedLinear, Options{})
	require.ErrorContains(t, r.Prepare(&Prepared{Fixed: append([]byte{0}, once.Fixed...), Packed: once.Packed}), "bytes computed once, the program has")
	require.ErrorContains(t, r.Prepare(&Prepared{Fixed: once.Fixed, Packed: append(append([][]byte{}, once.Packed...), []byte{1})}), "packed operands instead of")
	if n := len(once.Packed); n > 0 {
		require.ErrorContains(t, r.Prepare(&Prepared{Fixed: once.Fixed, Packed: once.Packed[:n-1]}), "does not have")
		short := append([][]byte{}, once.Packed...)
		short[0] = short[0][1:]
		require.ErrorContains(t, r.Prepare(&Prepared{Fixed: once.Fixed, Packed: short}), "does not have")
	}
	require.Equal(t, want, run(t, r, x)[0].Bytes(), "what was refused is not kept")

	bound := compile(t, linear, Options{ConstInputs: []bool{false, true}})
	got, err := bound.Prepared()
	require.NoError(t, err)
	require.Nil(t, got)
	require.ErrorContains(t, bound.Prepare(&Prepared{}), "with 1 constant inputs")
}

// TestTypes: the types are the function's.
func TestTypes(t *testing.T) {
	p := compile(t, linear, Options{})
	inputs, results := p.Types()
	require.Equal(t, []ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}, {DType: dtype.F32, Shape: []int{4, 3}}, {DType: dtype.F32, Shape: []int{4}}}, inputs)
	require.Equal(t, []ops.TensorType{{DType: dtype.F32, Shape: []int{2, 4}}}, results)
}

// TestRunTimed computes what a run does, with a time for each kernel; what is computed once takes none.
func TestRunTimed(t *testing.T) {
	p := compile(t, fixedLinear, Options{})
	x := buf.New(dtype.F32, []int{64, 256})
	for i := range x.Len() {
		x.SetFloat64(i, 1)
	}
	want := run(t, p, x)
	out := []*buf.Buffer{buf.New(dtype.F32, []int{64, 256})}
	took, err := p.RunTimed(context.Background(), []*buf.Buffer{x}, out)
	require.NoError(t, err)
	require.Equal(t, want[0].Bytes(), out[0].Bytes())
	kernels := p.Kernels()
	require.Len(t, took, len(kernels))
	for i, k := range kernels {
		if k.Fixed {
			require.Zero(t, took[i])
		}
	}
	_, err = p.RunTimed(context.Background(), nil, out)
	require.ErrorContains(t, err, "0 inputs, the program has 1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = p.RunTimed(ctx, []*buf.Buffer{x}, out)
	require.ErrorIs(t, err, context.Canceled)
	for _, phase := range p.Phases() {
		require.NotEmpty(t, phase.Name)
	}
	require.Len(t, p.Phases(), 6)
}
