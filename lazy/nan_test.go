package lazy_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
)

// The error names the call that makes the NaN: no call that hands the NaN on, and no call beside it.
func TestStopAtNaN(t *testing.T) {
	lazy.StopAtNaN(true)
	defer lazy.StopAtNaN(false)
	r := newRuntime(t)
	ctx := context.Background()
	make := func(numbers ...float32) value {
		x := value{r, leaf(numbers...)}
		return x.call(t, "log").call(t, "neg").call(t, "cos").call(t, "mul.Tensor", x.call(t, "exp").v)
	}
	for range 2 { // compiled, and from the cache
		require.NoError(t, lazy.Sync(ctx, make(1, 2, 3)))
		y := make(1, 2, -3)
		err := lazy.Sync(ctx, y)
		var failed *device.RunError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "log", failed.Op)
		require.ErrorContains(t, err, ".go:48: log: makes a NaN, the first at [2] of [3]")
		var nan *lazy.NaNError
		require.ErrorAs(t, err, &nan)
		require.Equal(t, 2, nan.Element)
		require.ErrorContains(t, lazy.Sync(ctx, y), ": log: ", "it stays pending")
	}

	err := lazy.Sync(ctx, make(-1, 2))
	require.ErrorContains(t, err, "log: makes a NaN, the first at [0] of [2]", "the first element counts")

	err = lazy.Sync(ctx, value{r, leaf(1, float32(math.NaN()))}.call(t, "relu"))
	require.ErrorContains(t, err, "relu: takes a tensor that holds a NaN already, the first at [1] of [2]")
	require.NoError(t, lazy.Sync(ctx, value{r, leaf(0, 1)}.call(t, "log")), "infinities are numbers")
	require.NoError(t, lazy.Sync(ctx, value{r, leaf(-1)}.call(t, "log").call(t, "isnan")), "no result holds it")

	// The device makes a NaN where the reference makes none: the call is that whose result it is.
	wrong := lazy.For(&struct{ renaming }{renaming{acap.Device(), "aten.cos", "aten.log"}})
	y := value{wrong, leaf(1, 2)}.call(t, "neg").call(t, "cos")
	err = lazy.Sync(ctx, y.call(t, "exp"), value{wrong, leaf(1)}.call(t, "neg"))
	require.ErrorContains(t, err, ": exp: makes a NaN, the first at [0] of [2]")

	lazy.StopAtNaN(false)
	require.NoError(t, lazy.Sync(ctx, make(-1)))
}

// renaming is a device that takes one operator for another.
type renaming struct {
	device.Device
	from, to string
}

func (r renaming) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	for _, op := range module.Func("main").Body().Ops {
		if op.Name == r.from {
			op.Name = r.to
		}
	}
	return r.Device.Compile(ctx, module)
}
