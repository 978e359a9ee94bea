package native

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// TestPrograms: the text of every vector program is read back as the same text and has a meaning, and who compiles without
// asking for text has the same machine code.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	programs := 0
	for range 12 {
		for _, k := range []kernel.Kernel{contraction(r), convolution(r), randomAttention(r)} {
			for _, f := range runnable() {
				list, err := Programs(k, f)
				require.NoError(t, err, "%s", k)
				if f.Level == cpu.Portable {
					require.Empty(t, list)
				}
				programs += len(list)
				for _, text := range list {
					p, err := vector.Parse(text)
					require.NoError(t, err, text)
					require.NoError(t, vector.Verify(p), text)
					require.Equal(t, text+"\n", p.String())
				}
			}
		}
	}
	if cpu.Detect().Level > cpu.Portable {
		require.Greater(t, programs, 36)
	}
}
