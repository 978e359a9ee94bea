package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// refusing is a processor that has no instructions for any program.
type refusing struct{ vector.Processor }

func (p refusing) Parts(f cpu.Features, listed bool) vector.Parts {
	return refusingParts{p.Processor.Parts(f, listed)}
}

type refusingParts struct{ vector.Parts }

func (refusingParts) Build(func() *vector.Program, int, int) (*vector.Machine, error) {
	return nil, fmt.Errorf("%w: no instructions", kernel.ErrUnsupported)
}

// closing counts the codes of loop nests that are not closed.
type closing struct {
	kernel.Code
	open *int
}

func (c closing) Close() {
	*c.open--
	c.Code.Close()
}

// TestRefused: a product whose code is refused closes the nests of its epilogue.
func TestRefused(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		made, open := 0, 0
		nests := func(n *kernel.Nest) (kernel.Code, error) {
			code, err := portableNest(n)
			made, open = made+1, open+1
			return closing{code, &open}, err
		}
		_, err := Compile(random(rand.New(rand.NewPCG(1, 1)), allTypes[0], 0), f, refusing{emit.Processor}, nests)
		require.ErrorIs(t, err, kernel.ErrUnsupported)
		require.Positive(t, made)
		require.Zero(t, open)
	})
}
