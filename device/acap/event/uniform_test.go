package event_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/tensor/dtype"
)

// TestUniformProducts compares large products of random shapes, whose blocks are all
// alike, with package timing on every array: all within 1 %. What is left are cascades,
// whose stages package timing takes to work in step.
func TestUniformProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared, apart := 0, 0.0
	for range 8 {
		size := func() int { return 256 << r.IntN(4) * (2 + r.IntN(3)) / 2 }
		w := product(size(), size(), size(), []dtype.DType{dtype.BF16, dtype.F32, dtype.I8}[r.IntN(3)])
		if w.Contraction.A.DType == dtype.I8 {
			w.Contraction.Acc = dtype.I32
		}
		if r.IntN(3) == 0 {
			w.Contraction.Out = w.Contraction.Acc
		}
		for _, name := range []string{"npu1", "npu2", "vek280", "vck190", "vck5000"} {
			choice, p := mapped(t, preset(t, name), w)
			e := run(t, p, options(choice))
			d := choice.Timing.Seconds/e.Seconds - 1
			compared, apart = compared+1, max(apart, math.Abs(d))
			if math.Abs(d) > 0.01 {
				t.Errorf("%s on %s, %v: events %.1f us, closed form %.1f us, %+.1f %%", w.Name,
					name, choice.Mapping, e.Seconds*1e6, choice.Timing.Seconds*1e6, 100*d)
			}
		}
	}
	t.Logf("%d products, %.2f %% apart at most", compared, 100*apart)
}
