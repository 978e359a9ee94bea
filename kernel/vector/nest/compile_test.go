package nest_test

import (
	"github.com/go-acap/acap/kernel"
	arm "github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// compile makes code of a nest for a processor.
func compile(n *kernel.Nest, f cpu.Features) (kernel.Code, error) {
	if f.Level == cpu.NEON {
		return nest.Compile(n, arm.Backend(f))
	}
	return nest.Compile(n, emit.Backend(f))
}
