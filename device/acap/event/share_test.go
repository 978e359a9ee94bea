package event_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestShares compares kernels of random shapes whose cores take equal shares with package timing on every array, the
// host's call aside: points and rows, with parameters that remain and arrays that are broadcast, of a few elements and
// of many. One core stands for all. A tenth is allowed for the work that cores do one after the other.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	stream := func(n int) workload.Stream { return workload.Stream{DType: dtype.F32, Elements: int64(n)} }
	const least = 0.05e-6 // seconds; a cycle is a percent of what takes less
	for i := range 24 {
		w := &workload.Kernel{Name: "share", Kind: workload.KindPointwise}
		size := 1 << (4 + r.IntN(12)) * (2 + r.IntN(3)) / 2
		if i%2 == 0 {
			w.Pointwise = workload.Pointwise{Elements: int64(size), DType: dtype.F32, Ops: workload.Mix{Simple: 1 + float64(r.IntN(9))},
				In: []workload.Stream{stream(size), stream(size >> r.IntN(3))}, Out: []workload.Stream{stream(size)}}
		} else {
			cols := 32 * (1 + r.IntN(24))
			rows := max(2, size/64)
			n := workload.Normalize{Rows: rows, Cols: cols, DType: dtype.F32, Passes: 1 + r.IntN(3), Ops: workload.Mix{Simple: 4},
				In: []workload.Stream{stream(rows * cols)}, Out: []workload.Stream{stream(rows * cols)}}
			if r.IntN(2) == 0 {
				n.In = append(n.In, stream(cols), stream(cols))
			}
			if r.IntN(3) == 0 {
				n.Out[0] = stream(rows)
			}
			w.Kind, w.Normalize = workload.KindNormalize, n
		}
		for _, name := range []string{"npu1", "npu2", "vek280", "vck190", "vck5000"} {
			choice, p := mapped(t, machinetest.Preset(t, name).Without(machine.Hops, machine.Routes), w)
			e := run(t, p, options(choice))
			host := choice.Timing.Launch
			got, want := choice.Timing.Seconds-host, e.Seconds-host
			if d := math.Abs(got - want); d > max(0.1*want, least) {
				t.Errorf("%s on %s, %v: events %.2f us, closed form %.2f us, %+.1f %%", w.Kind, name, choice.Mapping, 1e6*want,
					1e6*got, 100*(got/want-1))
			}
		}
	}
}
