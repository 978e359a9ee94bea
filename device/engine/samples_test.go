package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// lowered builds the function of one call, with its tensors as arguments.
func lowered(op *ops.Op, sample ops.Sample, r *rand.Rand) (f *mlir.Operation, inputs []*buf.Buffer, err error) {
	call, err := op.NewCall(sample.Args(r)...)
	if err != nil {
		return nil, nil, err
	}
	f = mlir.NewOp("func.func", nil, nil, nil)
	block := f.AddRegion().AddBlock()
	values := map[ops.Value]*mlir.Value{}
	call.Each(func(v ops.Value) {
		if values[v] == nil {
			values[v] = block.AddArg(ops.LoweredType(v.Type()))
			inputs = append(inputs, v.(ops.BufferValue).Buffer)
		}
	})
	l := ops.NewLowering(block, mlir.Location{File: "sample", Line: 1}, func(v ops.Value) *mlir.Value { return values[v] })
	results := op.Functional().Lower(l, call)
	block.Append(mlir.NewOp("func.return", results, nil, nil))
	return f, inputs, nil
}

// TestSamples compares every lowering with its reference, fused and unfused.
func TestSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, op := range ops.All() {
		if op.Lower == nil || op.Samples == nil {
			continue
		}
		for i, sample := range op.Samples() {
			t.Run(fmt.Sprintf("%s/%d", op.Name(), i), func(t *testing.T) {
				f, inputs, err := lowered(op, sample, r)
				require.NoError(t, err)
				compare(t, f, inputs)
			})
		}
	}
}

// compare runs a function in all ways and compares the results.
func compare(t *testing.T, f *mlir.Operation, inputs []*buf.Buffer) {
	t.Helper()
	want, err := reference.Run(f, inputs)
	require.NoError(t, err)
	for way, opts := range map[string]Options{"unfused": {NoFusion: true, Backend: portable.Compile},
		"portable": {Backend: portable.Compile}, "native": {}} {
		p, err := Compile(f, opts)
		require.NoError(t, err, way)
		got, err := p.Run(context.Background(), inputs)
		require.NoError(t, err, way)
		for i := range want {
			requireClose(t, want[i], got[i], way+"\n"+p.KernelText())
		}
		p.Close()
	}
}

func requireClose(t *testing.T, want, got *buf.Buffer, way string) {
	t.Helper()
	require.True(t, shape.Equal(want.Shape, got.Shape), "%v, %v", want.Shape, got.Shape)
	tolerance := map[int]float64{2: 2e-2, 4: 1e-4, 8: 1e-12}[want.DType.Size()]
	for i := range want.Len() {
		x, y := want.Float64(i), got.Float64(i)
		near := math.Abs(x-y) <= tolerance*math.Max(1, math.Abs(x))
		switch {
		case !want.DType.IsFloat():
			near = want.Int64(i) == got.Int64(i)
		case math.IsNaN(x):
			near = math.IsNaN(y)
		case math.IsInf(x, 0):
			near = x == y
		}
		if !near { // an assertion for each element takes longer than a program
			require.Failf(t, "another result", "element %d: want %v, got %v, %s", i, x, y, way)
		}
	}
}
