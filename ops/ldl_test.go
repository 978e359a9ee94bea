package ops_test

import (
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestComplexLDL: factors of Hermitian and of symmetric complex matrices, with blocks of two rows, and the solutions by
// them are PyTorch 2.14's.
func TestComplexLDL(t *testing.T) {
	right := tensor.FromSlice([]complex128{1, 2i, 3 - 1i, 4, 0, 1 + 1i}, 3, 2)
	for _, c := range []struct {
		name      string
		matrix    []complex128
		hermitian bool
		factors   []complex128
		solution  []complex128
	}{
		{
			"Hermitian", []complex128{1e-3, 2 + 1i, 3, 2 - 1i, 0.5, 1i, 3, -1i, 2}, true,
			[]complex128{1e-3, 0, 0, 2 - 1i, 0.5, 0, -0.5000500050005 - 0.40004000400039996i,
				1.2001200120011999 + 0.6002600260026002i, 4.100410041004101},
			[]complex128{0.8292682926829268 + 0.5365853658536583i, 1.0000000000000004 + 0.9999999999999998i,
				1.51190243902439 - 0.6828292682926828i, 1.8044390243902433 + 0.24395121951219534i,
				-0.9024878048780487 - 0.04892682926829274i, -1.1219756097560973 - 0.09778048780487807i},
		},
		{
			"symmetric", []complex128{0.1i, 2 + 1i, 3, 2 + 1i, 0.5, 1i, 3, 1i, 2 - 1i}, false,
			[]complex128{0.1i, 0, 0, 2 + 1i, 0.5, 0, 0.016258510313992447 + 0.6452596280865766i,
				1.2254852149171833 - 0.6135555329742912i, 1.3376689360837315 - 4.161264099176913i},
			[]complex128{0.6418568533696423 - 0.4341628682512751i, 1.2598328874516667 - 0.31438646505369217i,
				1.5619332294420185 - 0.061324241956844355i, 1.6734763345867658 + 0.5940845774584216i,
				-0.7428689958886695 - 0.5011568102884312i, -0.9281022460734931 - 0.32920959274959183i},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			near := func(want []complex128, got *tensor.Tensor) {
				for i, z := range complexOf(got) {
					require.InDelta(t, 0, cmplx.Abs(z-want[i]), 1e-13, "number %d: %v, expected %v", i, z, want[i])
				}
			}
			f := tensor.Call("linalg_ldl_factor_ex", tensor.FromSlice(c.matrix, 3, 3), c.hermitian)
			near(c.factors, f[0])
			require.Equal(t, []int64{-2, -2, 3}, f[1].Int64s())
			near(c.solution, tensor.Call("linalg_ldl_solve", f[0], f[1], right, c.hermitian)[0])
		})
	}
}
