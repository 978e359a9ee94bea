package beside_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/beside"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/mlir"
)

// account is the report of a sum of two matrices, which the memory bounds, or of a product of small matrices, which the
// cores bound.
func account(t *testing.T, m *machine.Machine, op string, rows, cols int) *report.Report {
	t.Helper()
	typ := fmt.Sprintf("tensor<%dx%dxbf16>", rows, cols)
	module, err := mlir.Parse("m.mlir", fmt.Appendf(nil, "func.func @main(%%a: %[1]s, %%b: %[1]s) -> %[1]s {\n  %%0 = %[2]q(%%a, %%b) : (%[1]s, %[1]s) -> %[1]s\n  return %%0 : %[1]s\n}\n", typ, op))
	require.NoError(t, err)
	exe, err := acap.New(m).Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return acap.ReportOf(exe)
}

// TestContention: two sums of matrices at the same time each take what the event engine says of one with half of the
// memory. Products that leave the memory alone take what they take alone, and the sum beside them, too.
func TestContention(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	columns, err := beside.Even(m, 2)
	require.NoError(t, err)
	parts, err := beside.Parts(m, columns)
	require.NoError(t, err)
	require.Equal(t, m.DDR, parts[1].DDR)
	sum := account(t, parts[0], "aten.add.Tensor", 512, 4096)
	shares, err := beside.Run(m, []*report.Report{sum, account(t, parts[1], "aten.add.Tensor", 512, 4096)})
	require.NoError(t, err)

	k := &sum.Kernels[0]
	half := *parts[0]
	for _, c := range []*machine.Constant{&half.DDR.Read, &half.DDR.Write, &half.DDR.Total} {
		c.Value /= 2
	}
	choice := &mapper.Choice{Machine: &half, Kernel: k.Work, Mapping: k.Mapping}
	program, err := choice.Build()
	require.NoError(t, err)
	events, err := event.Run(program, event.Options{})
	require.NoError(t, err)
	require.Greater(t, events.Seconds, 1.5*sum.Total().Seconds, "the memory bounds it")
	for _, s := range shares {
		require.InEpsilon(t, sum.Total().Seconds, s.Alone, 1e-9)
		require.InEpsilon(t, events.Seconds, s.Seconds, 0.02)
		require.InEpsilon(t, 1-s.Alone/s.Seconds, s.Waits, 1e-9)
	}
	require.LessOrEqual(t, shares[0].Gets+shares[1].Gets, 1.0+1e-9)

	quiet := account(t, parts[1], "aten.mm", 64, 64)
	shares, err = beside.Run(m, []*report.Report{sum, quiet})
	require.NoError(t, err)
	require.Less(t, shares[1].Wants, 0.02)
	for _, s := range shares {
		require.InEpsilon(t, s.Alone, s.Seconds, 0.01)
	}
	arrays, err := beside.Arrays(m, 3)
	require.NoError(t, err)
	whole := account(t, arrays[0], "aten.add.Tensor", 512, 4096)
	shares, err = beside.Run(m, []*report.Report{whole, whole, whole})
	require.NoError(t, err)
	require.Greater(t, shares[2].Seconds, 2*shares[2].Alone)
	require.Equal(t, shares[0], shares[2])
}

// TestSharedMachine: one of two arrays that share a memory, as a machine describes them, takes what a model takes
// beside itself on two arrays: twice as long where the memory bounds it, and no longer where it does not.
func TestSharedMachine(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	m.Arrays = &machine.Arrays{Number: 2, Share: []string{machine.SharedMemory}}
	arrays, err := beside.Arrays(m, 2)
	require.NoError(t, err)
	_, err = beside.Arrays(m, 3)
	require.ErrorContains(t, err, "want 1 to 2")
	for _, op := range []struct {
		name       string
		rows, cols int
		slower     float64
	}{{"aten.add.Tensor", 512, 4096, 1.5}, {"aten.mm", 64, 64, 1}} {
		alone := account(t, arrays[0], op.name, op.rows, op.cols)
		shares, err := beside.Run(m, []*report.Report{alone, alone})
		require.NoError(t, err)
		both := account(t, m, op.name, op.rows, op.cols)
		require.InEpsilon(t, shares[0].Seconds, both.Total().Seconds, 0.02)
		require.GreaterOrEqual(t, both.Total().Seconds, op.slower*alone.Total().Seconds)
		require.Contains(t, both.Summary(), "one of 2 arrays that share the memory")
		require.NotContains(t, alone.Summary(), "arrays:")
	}
}

// TestRefused: what cannot be parted is an error.
func TestRefused(t *testing.T) {
	npu, err := machine.Preset("npu2")
	require.NoError(t, err)
	_, err = beside.Even(npu, 3)
	require.ErrorContains(t, err, "not parted into 3")
	_, err = beside.Parts(npu, []int{8, 1})
	require.ErrorContains(t, err, "no 1 from column 8")
	_, err = beside.Arrays(npu, 0)
	require.ErrorContains(t, err, "0 arrays")
	cells, err := machine.Preset("systolic")
	require.NoError(t, err)
	_, err = beside.Even(cells, 2)
	require.ErrorContains(t, err, "no columns that work apart")
	_, err = beside.Run(cells, nil)
	require.ErrorContains(t, err, "which nobody shares")
	_, err = beside.Run(npu, []*report.Report{{Machine: npu}})
	require.ErrorContains(t, err, "takes no time")
}
