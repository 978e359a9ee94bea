package gemm

import (
	"testing"

	arm "github.com/go-acap/acap/kernel/arm64/emit"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// processors runs a test for processors of both instruction sets. Code of the other one is only compiled.
func processors(t *testing.T, test func(t *testing.T, f cpu.Features)) {
	t.Run("x86", func(t *testing.T) { kerneltest.Processors(t, test) })
	t.Run("arm64", func(t *testing.T) {
		for _, p := range kerneltest.Arm {
			t.Run(p.Name, func(t *testing.T) { test(t, p.Features) })
		}
	})
}

// processorOf makes code for processors with the features.
func processorOf(f cpu.Features) vector.Processor {
	if f.Level == cpu.NEON {
		return arm.Processor
	}
	return emit.Processor
}
