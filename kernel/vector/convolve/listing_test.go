package convolve

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestListing: code that runs keeps no listing, and the one that is made of it later is the same each time and has the
// instructions of every part.
func TestListing(t *testing.T) {
	f := wide(t, 1<<20)
	for name, c := range map[string]*kernel.Convolution{
		"; Winograd": kerneltest.Layer(64, 64, 28, 3, 1, 1, 1),
		"; direct":   kerneltest.Layer(64, 128, 28, 3, 2, 1, 1),
	} {
		code, err := Compile(c, f, emit.Processor, portableNest)
		require.NoError(t, err)
		first := code.Listing()
		require.Contains(t, first, name)
		require.Contains(t, first, "vfmadd231ps")
		require.Contains(t, first, "ret")
		require.Equal(t, first, code.Listing())
		code.Close()
	}
}
