package nest

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
	r := rand.New(rand.NewPCG(4, 2))
	f := cpu.Detect()
	compiled := 0
	for range 200 {
		code, err := Compile(kerneltest.Random(r, kerneltest.Options{Types: types, Ops: exact}), f)
		if err != nil {
			continue
		}
		c, ok := code.(*Code)
		if !ok {
			continue
		}
		compiled++
		bare, listed := asm.Unlisted(), asm.New()
		generate(c.plan, bare)
		generate(c.plan, listed)
		want := bare.Assemble()
		got := listed.Assemble()
		require.Equal(t, want.Bytes, got.Bytes)
		require.Empty(t, want.Lines())
		require.NotEmpty(t, got.Lines())
		require.Contains(t, c.Listing(), got.String())
		c.Close()
	}
	if f.Level >= cpu.AVX2 {
		require.Greater(t, compiled, 50)
	}
}
