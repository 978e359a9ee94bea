package native

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// TestFallbacks: a kernel without machine code says why, one with machine code and one for a processor without vectors
// say nothing.
func TestFallbacks(t *testing.T) {
	port := kernel.Port{DType: dtype.F32, Len: 100}
	out := port
	out.Write = true
	line := &kernel.Sort{Lines: kernel.Lines{Outer: 1, N: 100, Inner: 1}, Count: 100, X: port, Values: out,
		Positions: kernel.Port{DType: dtype.I64, Len: 100, Write: true}}
	lines := *line
	lines.Lines = kernel.Lines{Outer: 25, N: 4, Inner: 1}
	lines.Count = 4
	for _, test := range []struct {
		k    kernel.Kernel
		f    cpu.Features
		want string
	}{
		{line, cpu.Detect(), "sort: .*sorts of 1 lines"},
		{&lines, cpu.Detect(), ""},
		{line, cpu.Features{}, ""},
		{line, cpu.Features{}.InFixedOrder(), ""},
		{line, cpu.Detect().InFixedOrder(), "sort: .*the same on every processor"},
	} {
		var why []error
		test.f.Fallbacks = &why
		code, err := CompileFor(test.k, test.f)
		require.NoError(t, err)
		code.Close()
		if test.want == "" || cpu.Detect().Level == cpu.Portable {
			require.Empty(t, why)
			continue
		}
		require.Len(t, why, 1)
		require.Regexp(t, test.want, why[0])
		require.ErrorIs(t, why[0], kernel.ErrUnsupported)
	}
}
