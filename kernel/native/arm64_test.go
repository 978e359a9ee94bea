package native

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestArm64IsNative: nearly all nests, products, convolutions and attentions become code of arm64, also where this
// processor does not run it.
func TestArm64IsNative(t *testing.T) {
	if !exec.Supported {
		t.Skip("no generated code")
	}
	makers := map[string]func(r *rand.Rand) kernel.Kernel{
		"nest":        randomNest,
		"contraction": func(r *rand.Rand) kernel.Kernel { return contraction(r) },
		"convolution": func(r *rand.Rand) kernel.Kernel { return convolution(r) },
		"attention":   func(r *rand.Rand) kernel.Kernel { return randomAttention(r) },
	}
	for name, make := range makers {
		const n = 24
		portable := 0
		for seed := range uint64(n) {
			k := make(rand.New(rand.NewPCG(seed, 3)))
			code, err := CompileFor(k, kerneltest.Arm[seed%uint64(len(kerneltest.Arm))].Features)
			require.NoError(t, err)
			if strings.HasPrefix(fmt.Sprintf("%T", code), "*portable.") {
				portable++
				t.Logf("portable:\n%s", k)
			}
			code.Close()
		}
		t.Logf("%s: %d of %d are portable", name, portable, n)
		require.LessOrEqual(t, portable, n/5, name)
	}
}
