package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
)

// TestQueues expects programs to take as long with the queues of the machine as with endless
// ones, to the cycle, and the verifier to accept just those that finish. In the order in
// which they are built many would stop and others be late.
func TestQueues(t *testing.T) {
	programs, stuck, late, worst := 0, 0, 0, 1.0
	eachProgram(t, 40, func(what string, c *mapper.Choice, p *program.Program) {
		if c.Machine.Shim.Queue.Int() == 0 {
			return
		}
		run := func(p *program.Program, err error) *event.Result {
			require.NoError(t, err, what)
			r, err := event.Run(p, event.Options{})
			require.NoError(t, err, what)
			if err := p.Verify(); (err == nil) != r.Finished {
				t.Errorf("%s: finished %v, verified: %v", what, r.Finished, err)
			}
			return r
		}
		endless := *c.Machine
		endless.Shim.Queue.Value = 0
		want := run(build.Program(&endless, c.Kernel, c.Mapping))
		got := run(p, nil)
		if !got.Finished || !got.Restored || got.Cycles != want.Cycles {
			t.Errorf("%s: finished %v in %.0f cycles, with endless queues in %.0f", what, got.Finished,
				got.Cycles, want.Cycles)
		}
		switch built := run(build.Program(c.Machine, c.Kernel, c.Mapping)); {
		case !built.Finished:
			stuck++
		case built.Cycles > want.Cycles:
			late++
			worst = max(worst, built.Cycles/want.Cycles)
		}
		programs++
	})
	t.Logf("%d programs; as they are built, %d stop and %d take up to %.1f times as long", programs,
		stuck, late, worst)
	require.Greater(t, stuck, longtest.Sample(-1, 0, 2))
	require.Greater(t, late, longtest.Sample(-1, -1, 0))
}
