package importer_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// masked are samples beside the operators' samples.
var masked = map[string][]ops.Sample{
	"index.Tensor": {
		{ops.S(4, 3), []ops.T{{DType: dtype.Bool, Shape: []int{4}}}},
		{ops.S(4, 3), []ops.T{{DType: dtype.Bool, Shape: []int{4, 3}}}},
		{ops.S(2, 3), []ops.T{{DType: dtype.U8, Shape: []int{2}, High: 2, Values: []float64{0, 1}}, {DType: dtype.I64, Shape: []int{2, 1}, High: 3}}},
	},
	"masked_select":                 {{ops.S(3, 1), ops.T{DType: dtype.Bool, Shape: []int{2, 1, 4}}}},
	"repeat_interleave.self_Tensor": {{ops.S(3, 2), ops.T{DType: dtype.I64, Shape: []int{1}, Low: 2, High: 3}, 1}, {ops.S(2, 2), ops.T{DType: dtype.I64, Shape: []int{4}, High: 3}}},
	"bincount":                      {{ops.T{DType: dtype.U8, Shape: []int{6}, High: 5}, ops.T{DType: dtype.I64, Shape: []int{6}, High: 9}, 3}, {ops.T{DType: dtype.I64, Shape: []int{0}, High: 5}, nil, 3}, {ops.T{DType: dtype.I64, Shape: []int{0}, High: 5}, ops.S(0), 3}},
	"_ctc_loss.Tensor": {{ops.S(4, 2, 3), ops.T{DType: dtype.I64, Shape: []int{3}, Low: 1, High: 3}, ops.T{DType: dtype.I64, Shape: []int{2}, Values: []float64{4, 3}},
		ops.T{DType: dtype.I64, Shape: []int{2}, Values: []float64{2, 1}}}},
}

// TestDetermine: the operations that Determine writes, given the deciding elements, compute the results of the
// operator's Host, for each sample.
func TestDetermine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tested := 0
	for _, op := range ops.All() {
		if op.Determine == nil {
			continue
		}
		samples := append(masked[op.Name()], op.Samples()...)
		for _, sample := range samples {
			var inputs []*buf.Buffer
			call := ops.Call{Op: op, Args: sample.Args(r)}
			call.Each(func(v ops.Value) { inputs = append(inputs, v.(ops.BufferValue).Buffer) })
			var want []*buf.Buffer
			module, err := importer.Specialized("m", nil, inputs, host.Run, func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
				next := 0
				c := &ops.Call{Op: op, Args: call.Map(func(ops.Value) ops.Value { next++; return in[next-1] })}
				if err := c.Init(); err != ops.ErrDataDependent {
					return in, err // the sample's shape does not depend on data
				}
				var err error
				own := &ops.Call{Op: op, Args: call.Map(func(v ops.Value) ops.Value { return v })}
				_ = own.Init()
				if want, err = op.Host(&ops.HostCall{Call: own}); err != nil {
					return nil, err
				}
				return importer.Compute(importer.Counted{Builder: b, Count: func() {}}, c)
			})
			require.NoError(t, err, op.Schema)
			if want == nil {
				continue
			}
			tested++
			got, err := host.Run(module, inputs)
			require.NoError(t, err, op.Schema)
			require.Len(t, got, len(want))
			for i := range want {
				require.Equal(t, want[i].DType, got[i].DType, op.Schema)
				require.Equal(t, want[i].Shape, got[i].Shape, op.Schema)
				for k := range want[i].Len() {
					require.InDelta(t, want[i].Float64(k), got[i].Float64(k), 1e-6, op.Schema)
				}
			}
		}
	}
	require.GreaterOrEqual(t, tested, 12)
}
