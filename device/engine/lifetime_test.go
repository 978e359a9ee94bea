package engine

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

// What lives at once fits into the memory of a run, every kernel reads and writes something, and
// the largest moment is no smaller than any result.
func TestLifetimes(t *testing.T) {
	for _, noFusion := range []bool{true, false} {
		p := compile(t, linear, Options{NoFusion: noFusion, ConstInputs: []bool{false, true, true}})
		list := p.Lifetimes()
		kernels := p.Kernels()
		uses := map[Use]int{}
		touched := make([]bool, len(kernels))
		between := make([]int, len(kernels))
		for _, l := range list {
			uses[l.Use]++
			require.LessOrEqual(t, l.First, l.Last)
			require.Less(t, l.Last, len(kernels))
			for i := l.First; i <= l.Last; i++ {
				touched[i] = true
				if l.Use == Between {
					between[i] += l.Bytes
				}
			}
		}
		for i := range kernels {
			require.True(t, touched[i], kernels[i].Name)
			require.LessOrEqual(t, between[i], p.ArenaBytes)
		}
		require.Equal(t, 3, uses[Argument])
		require.Equal(t, 1, uses[Result])
		require.Equal(t, p.Memory(), p.Forecast().Run, "a forecast says what a run takes")
		if noFusion {
			require.Positive(t, uses[Between])
		}
	}
}

// TestLittleMemory: a program that links the engine starts with the least memory that ACAP_MEMORY can say.
func TestLittleMemory(t *testing.T) {
	c := emulator.Again("-test.run", "^$")
	c.Env = append(os.Environ(), "ACAP_MEMORY=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}
