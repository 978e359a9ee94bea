package account

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
)

// TestRowsOfExperts: four rows that choose two of eight experts each read 8(1-(6/8)^4) = 5.5 of them, so six, and eight
// choices are two rows of each.
func TestRowsOfExperts(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	held := map[string]*llm.Held{
		"ffn_gate_inp":  {Name: "blk.0.ffn_gate_inp.weight", Shape: []int{8, 64}},
		"ffn_up_exps":   {Name: "blk.0.ffn_up_exps.weight", Shape: []int{8, 16, 64}},
		"ffn_down_exps": {Name: "blk.0.ffn_down_exps.weight", Shape: []int{8, 64, 16}},
	}
	o := &llm.Outline{Description: llm.Description{Experts: &llm.Experts{Count: 8, Chosen: 2, Hidden: 16}}}
	l := list{Account: New(o, m), rows: 4}
	l.experts(0, func(part string) *llm.Held { return held[part] })
	require.Len(t, l.kernels, 4, "the choice, two products and the gate between them")
	for i, shape := range map[int][4]int{0: {1, 4, 8, 64}, 1: {6, 2, 16, 64}, 3: {6, 2, 64, 16}} {
		c := l.kernels[i].Contraction
		require.Equal(t, shape, [4]int{c.Batch, c.M, c.N, c.K}, l.kernels[i].Name)
	}
}
