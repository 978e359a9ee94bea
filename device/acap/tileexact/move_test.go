package tileexact_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// TestMoves walks transposes whose elements are no multiple of what passes at a time, as the mapper has them and with
// other tiles and streams, and runs them by events: without the launch these take as long as the closed form says.
func TestMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	for _, name := range arrays {
		m := machinetest.Preset(t, name)
		for _, shape := range [][2]int{{1, 1}, {7, 33}, {97, 61}, {250, 101}, {512, 64}} {
			rows, cols := shape[0], shape[1]
			module, err := mlir.Parse("transpose.mlir", fmt.Appendf(nil, `func.func @main(%%x: tensor<%[1]dx%[2]dxf32>) -> tensor<%[2]dx%[1]dxf32> {
  %%t = "aten.t"(%%x) : (tensor<%[1]dx%[2]dxf32>) -> tensor<%[2]dx%[1]dxf32>
  %%c = "aten.clone"(%%t) : (tensor<%[2]dx%[1]dxf32>) -> tensor<%[2]dx%[1]dxf32>
  return %%c : tensor<%[2]dx%[1]dxf32>
}`, rows, cols))
			require.NoError(t, err)
			x := buf.New(dtype.F32, []int{rows, cols})
			for i := range x.Len() {
				x.SetFloat64(i, r.NormFloat64())
			}
			for try := range 3 {
				var chosen *mapper.Choice
				c := &tileexact.Checker{Machine: m, Native: native.Compile, MaxWork: 1 << 40,
					Map: func(m *machine.Machine, w *workload.Kernel) (*mapper.Choice, error) {
						found, err := mapper.Map(m, w)
						if try > 0 && err == nil {
							g := mapping.Mapping{Kind: w.Kind, Cols: 1 + r.IntN(4), Rows: 1, Lanes: 1 + r.IntN(2), Depth: 2,
								Tile: 1 + rows*cols/(1+r.IntN(20))}
							found, err = found.With(g)
						}
						chosen = found
						return found, err
					}}
				exe, err := c.Compile(context.Background(), module)
				require.NoError(t, err)
				_, err = exe.Run(context.Background(), []*buf.Buffer{x})
				require.NoError(t, err)
				exe.Close()
				what := fmt.Sprintf("%v on %s", shape, name)
				require.Len(t, c.Kernels, 1, what)
				require.NoError(t, c.Kernels[0].Err, what)
				require.Empty(t, c.Kernels[0].Skipped, what)
				if chosen.Kernel.Kind != workload.KindMove {
					require.Equal(t, 1, rows, what)
					continue
				}
				_, run := byEvents(t, chosen)
				const least = 0.15e-6 // seconds: switches on the way, which events leave out
				launch := chosen.Timing.Launch + chosen.Timing.Restart
				closed, events := chosen.Timing.Seconds-launch, run.Seconds-launch
				require.LessOrEqual(t, math.Abs(closed-events), max(least, 0.05*events), "%s %v: closed form %.3g, events %.3g s",
					what, chosen.Mapping, closed, events)
			}
		}
	}
}
