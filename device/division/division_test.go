package division_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/division"
)

// program has the kernels and times of a test, and counts its runs.
type program struct {
	device.Executable
	kernels []device.Kernel
	took    []time.Duration
	runs    int
	err     error
}

func (p *program) Kernels() []device.Kernel { return p.kernels }

func (p *program) RunTimed(context.Context, []*buf.Buffer) ([]*buf.Buffer, []time.Duration, error) {
	p.runs++
	return nil, p.took, p.err
}

var divided = []device.Group{
	{Name: "main_group_0", Device: "d", Ops: []string{"aten.mm", "aten.relu"}, Work: 60},
	{Device: "host", Ops: []string{"aten.qr"}, Work: 10, Problem: "no kernel"},
	{Name: "main_group_1", Device: "d", Ops: []string{"aten.mm"}, Work: 30},
}

// TestTimesOfGroups: a group has the sum of its kernels; a kernel that runs once is measured and not predicted, and
// kernels of the host belong to no group.
func TestTimesOfGroups(t *testing.T) {
	p := &program{
		kernels: []device.Kernel{{Group: "main_group_0", Seconds: 1}, {Group: "main_group_0", Seconds: 8, Once: true},
			{Seconds: 16}, {Group: "main_group_1", Seconds: 2}, {Group: "main_group_0", Seconds: 4}},
		took: []time.Duration{1, 2, 4, 8, 16},
	}
	groups := division.Of(divided, nil)
	for range 2 { // times are set, not added
		took, err := division.Measure(t.Context(), p, nil, groups)
		require.NoError(t, err)
		require.Equal(t, time.Duration(31), took)
		require.Equal(t, []float64{5, 0, 2}, []float64{groups[0].Predicted, groups[1].Predicted, groups[2].Predicted})
		require.Equal(t, []time.Duration{19, 0, 8}, []time.Duration{groups[0].Measured, groups[1].Measured, groups[2].Measured})
	}
	require.Equal(t, 4, p.runs)
	division.SetTimes(groups, p.kernels, nil)
	require.Equal(t, 5.0, groups[0].Predicted)
	require.Zero(t, groups[0].Measured)

	p.err = errors.New("lost")
	_, err := division.Measure(t.Context(), p, nil, groups)
	require.ErrorIs(t, err, p.err)
	took, err := division.Measure(t.Context(), p.Executable, nil, groups)
	require.NoError(t, err)
	require.Zero(t, took, "a program that does not tell its kernels")
}

// TestShareOfNothing: groups without work have no share of it.
func TestShareOfNothing(t *testing.T) {
	require.Zero(t, division.Of([]device.Group{{Name: "f"}}, nil)[0].Share)
	require.Empty(t, division.Of(nil, nil))
}

// TestBoundOfText: what is left out of a group's text and operations is counted.
func TestBoundOfText(t *testing.T) {
	var b bytes.Buffer
	groups := division.Of([]device.Group{{Name: "f", Device: "d"}, {Device: "host", Ops: []string{"a", "b", "c"}, Problem: "no kernel"}},
		map[string]string{"f": "1\n2\n3\n"})
	division.Write(&b, groups, 2)
	require.Equal(t, `acap::CompilationGroup_0 = f on d: 0 operations, 0.0% of the work
    1
    2
    … 1 more lines
on host: a b … 1 more operations, 0.0% of the work: no kernel
`, b.String())
}
