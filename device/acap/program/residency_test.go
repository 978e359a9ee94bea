package program_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestResidentLimits builds products whose weights lie in mem tiles: those that no mem tile has space
// for, or that a task cannot send as often, are refused with a reason.
func TestResidentLimits(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	i8 := workload.Operand{DType: dtype.I8}
	w := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1,
		M: 512, K: 512, N: 512, A: i8, B: i8, Acc: dtype.I32, Out: dtype.I32}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4, TM: 32, TN: 32, TK: 32, KL2: 32, Cascade: 1,
		StageM: 1, StageN: 1, Style: "vector", Depth: 2, OutDepth: 1, Resident: 1}
	verify := func(m *machine.Machine, w *workload.Kernel) error {
		_, err := lowered(m, w, g)
		return err
	}
	require.NoError(t, verify(m, w))

	small := *m
	small.Mem.Memory.Value = 64 << 10
	require.ErrorContains(t, verify(&small, w), "needs")
	few := *m
	few.Mem.Repeat.Value = 3
	require.ErrorContains(t, verify(&few, w), "4 times, a task at most 3")
	g.Resident = 2
	require.ErrorContains(t, verify(m, w), "row of mem tiles 2, not from 0 to 1")
	g.Resident = 1
	g.Style, g.TK = "external", 64
	bf16 := *w
	bf16.Contraction.A.DType, bf16.Contraction.B.DType = dtype.BF16, dtype.BF16
	bf16.Contraction.Acc, bf16.Contraction.Out = dtype.F32, dtype.F32
	require.ErrorContains(t, verify(m, &bf16), "parts of a row")
	g.Style = "vector"
	varies := *w
	varies.Contraction.Epilogue = workload.Epilogue{Ops: workload.Mix{Simple: 1},
		In: []workload.Stream{{DType: dtype.I8, Elements: 512}}}
	require.ErrorContains(t, verify(m, &varies), "no weight")
	varies.Contraction.Epilogue.In[0].Constant = true
	require.NoError(t, verify(m, &varies))
}
