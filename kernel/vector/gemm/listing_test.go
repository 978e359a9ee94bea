package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestListingIsOfTheCode: the code that runs keeps no listing, and the one that is made of it later is of the
// same bytes.
func TestListingIsOfTheCode(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(uint64(f.L2), 3))
		for _, ts := range allTypes {
			c, err := Compile(random(r, ts, 0), f, emit.Processor, portableNest)
			require.NoError(t, err)
			g := c.(*code)
			bare, listed := emit.Processor.Parts(f, false), emit.Processor.Parts(f, true)
			require.NoError(t, g.again(bare))
			require.NoError(t, g.again(listed))
			bytes := func(p vector.Parts) []byte { return p.(interface{ Bytes() []byte }).Bytes() }
			require.Equal(t, bytes(bare), bytes(listed))
			require.Contains(t, c.Listing(), listed.Listing())
			c.Close()
		}
	})
}
