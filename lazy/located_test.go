package lazy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
)

// failing is a device whose programs fail with an error, and need memory.
type failing struct {
	device.Device
	err    error
	memory device.Memory
}

func (f *failing) Compile(context.Context, *mlir.Operation) (device.Executable, error) {
	return &failingProgram{of: f}, nil
}

type failingProgram struct {
	idleProgram
	of *failing
}

func (p *failingProgram) Memory() device.Memory { return p.of.memory }
func (p *failingProgram) RunInto(context.Context, []*buf.Buffer, []*buf.Buffer) error {
	return p.of.err
}

// TestErrorsAreLocated: an error names the recorded call by the number in its location, the first one of several that
// are fused; one of no call stays as it is.
func TestErrorsAreLocated(t *testing.T) {
	cause := errors.New("it broke")
	second, first := mlir.Location{Serial: 2}, mlir.Location{Serial: 1}
	for i, c := range []struct {
		at   mlir.Location
		want string
	}{
		{first, `^lazy_test.go:\d+: neg: it broke$`}, {second, `^lazy_test.go:\d+: cos: it broke$`},
		{mlir.Location{Fused: []mlir.Location{second, first}}, `^lazy_test.go:\d+: cos: it broke$`},
		{mlir.Location{Fused: []mlir.Location{{Fused: []mlir.Location{first}}, second}}, `^lazy_test.go:\d+: neg: it broke$`},
		{mlir.Location{Serial: 3}, `^aten.op: it broke$`}, {mlir.Location{}, `^aten.op: it broke$`}, {mlir.Location{Serial: -1}, `^aten.op: it broke$`},
		{mlir.Location{File: "a.py", Line: 3}, `^a.py:3: aten.op: it broke$`},
	} {
		r := lazy.For(&failing{Device: acap.Device(), err: &device.RunError{Op: "aten.op", Loc: c.at, Err: cause}})
		y := value{r, leaf(1)}.call(t, "neg").call(t, "cos")
		for range 2 {
			err := lazy.Sync(context.Background(), y)
			require.ErrorIs(t, err, cause)
			require.Regexp(t, c.want, err.Error(), "case %d", i)
			require.True(t, y.v.(interface{ Pending() bool }).Pending())
		}
	}
	r := lazy.For(&failing{Device: acap.Device(), err: cause})
	require.Equal(t, cause, lazy.Sync(context.Background(), value{r, leaf(1)}.call(t, "neg")))
}

// TestLargeValuesAreLocated: what a run needs is checked before it runs, and the largest values have the operators and
// lines of their calls.
func TestLargeValuesAreLocated(t *testing.T) {
	defer lazy.MemoryLimit(lazy.MemoryLimit(1 << 20))
	f := &failing{Device: acap.Device(), memory: device.Memory{Run: 3 << 20, Largest: []device.LargeValue{
		{Bytes: 2 << 20, Op: "linalg.generic", Loc: mlir.Location{Fused: []mlir.Location{{Serial: 2}}}}, {Bytes: 1 << 20, Op: "own"},
	}}}
	err := lazy.Sync(context.Background(), value{lazy.For(f), leaf(1)}.call(t, "neg").call(t, "cos"))
	var memory *device.MemoryError
	require.ErrorAs(t, err, &memory)
	require.Equal(t, []string{"cos", "own"}, []string{memory.Largest[0].Op, memory.Largest[1].Op})
	require.Equal(t, "lazy_test.go", memory.Largest[0].Loc.File)
	require.EqualValues(t, 2<<20, memory.Largest[0].Bytes)
	f.memory.Run = 1 << 20
	require.NoError(t, lazy.Sync(context.Background(), value{lazy.For(f), leaf(1, 2)}.call(t, "neg").call(t, "cos")), "as much as the limit")
}
