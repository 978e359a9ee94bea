package explorer_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy/explorer"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Every kernel of the report appears, and every link of a part resolves: to a call, to a kernel, to
// lines. Calls that are computed are in a kernel.
func TestLinks(t *testing.T) {
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		e := lenet(t, dev)
		m := part[*explorer.Model](t, e, "model")
		program := part[*explorer.Compiled](t, e, "program")
		checkCalls := func(calls []int) {
			for _, c := range calls {
				require.True(t, c > 0 && c <= len(m.Calls), "call %d", c)
			}
		}
		covered := map[int]bool{}
		for _, k := range program.Kernels {
			checkCalls(k.Calls)
			require.NotEmpty(t, k.Calls, k.Name)
			for _, c := range k.Calls {
				covered[c] = true
			}
		}
		for _, c := range m.Calls {
			if regexp.MustCompile(`conv|relu|pool|addmm|linear`).MatchString(c.Op) {
				require.True(t, covered[c.ID], c.Op)
			}
		}
		for _, g := range program.Groups {
			for _, k := range g.Kernels {
				require.Less(t, k, len(program.Kernels))
			}
		}
		memory := part[*explorer.Memory](t, e, "memory")
		require.Len(t, memory.Steps, len(program.Kernels))
		for i, s := range memory.Steps {
			require.Equal(t, i, s.Kernel)
			require.LessOrEqual(t, s.Between+s.Results, memory.Run)
			require.Positive(t, s.Between+s.Results+s.Kept)
		}
		for _, v := range memory.Largest {
			checkCalls(v.Calls)
		}
		require.Len(t, part[*explorer.Measured](t, e, "measured").Kernels, len(program.Kernels))
		for _, name := range m.Stages {
			stage := part[*explorer.Stage](t, e, "stage/"+name)
			checkStage(t, stage, len(m.Calls), len(program.Kernels))
		}
	}
}

// checkStage checks the spans of a stage: in order, not empty, of known calls; the form as recorded has every call, the
// forms of the device have every kernel.
func checkStage(t *testing.T, s *explorer.Stage, calls, kernels int) {
	t.Helper()
	at := 0
	seenCalls, seenKernels := map[int]bool{}, map[int]bool{}
	for _, span := range s.Spans {
		require.GreaterOrEqual(t, span.From, at)
		require.Greater(t, span.To, span.From)
		require.LessOrEqual(t, span.To, len(s.Lines))
		at = span.To
		for _, c := range span.Calls {
			require.True(t, c > 0 && c <= calls)
			seenCalls[c] = true
		}
		if span.Kernel != nil {
			seenKernels[*span.Kernel] = true
		}
	}
	for _, line := range s.Lines {
		require.NotContains(t, line, " loc(", s.Name)
	}
	switch s.Name {
	case "aten", "torch", "stablehlo", "linalg":
		require.Len(t, seenCalls, calls, s.Name)
	default:
		require.Len(t, seenKernels, kernels, s.Name)
	}
}

// A span of a stage shows its call: the line of a call in the form as recorded names its operator.
func TestSpansShowTheirCalls(t *testing.T) {
	e := lenet(t, host.Device())
	m := part[*explorer.Model](t, e, "model")
	s := part[*explorer.Stage](t, e, "stage/aten")
	for _, span := range s.Spans {
		for _, line := range s.Lines[span.From:span.To] {
			if strings.Contains(line, `"aten.`) {
				require.Contains(t, line, m.Calls[span.Calls[0]-1].Op)
			}
		}
	}
}

// TestRegionsOfCalls: what a call's operation has between braces is the call's as well, line by line.
func TestRegionsOfCalls(t *testing.T) {
	s := part[*explorer.Stage](t, lenet(t, acap.Device()), "stage/linalg")
	calls := make([][]int, len(s.Lines))
	for _, span := range s.Spans {
		for i := span.From; i < span.To; i++ {
			require.Nil(t, calls[i], "a line of two spans")
			calls[i] = span.Calls
		}
	}
	var open []int
	regions := 0
	for i, line := range s.Lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "}") {
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if calls[i] != nil {
				regions++
				for k := from; k < i; k++ {
					require.Equal(t, calls[i], calls[k], "line %d", k+1)
				}
			}
		}
		if strings.HasSuffix(line, "{") {
			open = append(open, i)
		}
	}
	require.Empty(t, open)
	require.Greater(t, regions, 5)
}
