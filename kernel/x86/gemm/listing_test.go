package gemm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// TestListingIsOfTheCode: the code that runs keeps no listing, and the one that is made of it later is of the
// same bytes.
func TestListingIsOfTheCode(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(uint64(f.L2), 3))
		for _, ts := range allTypes {
			c, err := Compile(random(r, ts, 0), f, portableNest)
			require.NoError(t, err)
			g := c.(*code)
			bare, listed := asm.Unlisted(), asm.New()
			for _, a := range []*asm.Assembler{bare, listed} {
				require.NoError(t, g.again(a))
			}
			want, got := bare.Assemble(), listed.Assemble()
			require.Equal(t, want.Bytes, got.Bytes)
			require.Contains(t, c.Listing(), got.String())
			c.Close()
		}
	})
}
