package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/ops"
)

// TestRandomBounds: what PyTorch 1.13 takes for the numbers of a distribution, at the bounds and
// beside them, and what it refuses.
func TestRandomBounds(t *testing.T) {
	x := ops.S(2, 3)
	for _, c := range []struct {
		op      string
		first   ops.Sample
		taken   []ops.Sample
		refused []ops.Sample
	}{
		{"uniform", ops.Sample{x}, []ops.Sample{{0., 1.}, {0., 0.}}, []ops.Sample{{1., 0.}, {2., 1.5}}},
		{"normal_functional", ops.Sample{x}, []ops.Sample{{0., 1.}, {0., 0.}}, []ops.Sample{{0., -1.}, {0., math.NaN()}}},
		{"log_normal", ops.Sample{x}, []ops.Sample{{0., 1.}}, []ops.Sample{{0., 0.}, {0., -1.}}},
		{"exponential", ops.Sample{x}, []ops.Sample{{1.}}, []ops.Sample{{-1.}}},
		{"geometric", ops.Sample{x}, []ops.Sample{{.5}}, []ops.Sample{{0.}, {1.}, {-.1}, {1.1}}},
		{"bernoulli.p", ops.Sample{x}, []ops.Sample{{.5}, {0.}, {1.}}, []ops.Sample{{-.1}, {1.1}}},
		{"random.to", ops.Sample{x}, []ops.Sample{{5}, {1}}, []ops.Sample{{0}, {-1}}},
		{"random.from", ops.Sample{x}, []ops.Sample{{0, 5}, {5, 6}, {-3, -2}}, []ops.Sample{{5, 5}, {5, 4}}},
		{"randint.low", nil, []ops.Sample{{0, 1, []int{2}}, {-2, -1, []int{2}}},
			[]ops.Sample{{0, 0, []int{2}}, {1, 0, []int{2}}}},
		{"randperm", nil, []ops.Sample{{0}, {1}}, []ops.Sample{{-1}}},
		{"multinomial", ops.Sample{ops.SIn(0.5, 1, 3)}, []ops.Sample{{1}, {3}, {4, true}},
			[]ops.Sample{{4}, {0}, {-1}, {0, true}}},
		{"dropout", ops.Sample{x}, []ops.Sample{{0., true}, {1., true}}, []ops.Sample{{-.1, true}, {1.1, true}}},
		{"native_dropout", ops.Sample{x}, []ops.Sample{{0., true}, {1., true}},
			[]ops.Sample{{-.1, true}, {1.1, true}}},
		{"alpha_dropout", ops.Sample{x}, []ops.Sample{{0., true}, {1., true}}, []ops.Sample{{-.1, true}, {1.1, true}}},
	} {
		op := ops.Lookup(c.op)
		if op == nil {
			t.Errorf("no %s", c.op)
			continue
		}
		try := func(s ops.Sample) error {
			_, err := op.NewCall(append(append(ops.Sample{}, c.first...), s...).Args(rand.New(rand.NewPCG(1, 1)))...)
			return err
		}
		for _, s := range c.taken {
			if err := try(s); err != nil {
				t.Errorf("%s%v: %v", c.op, s, err)
			}
		}
		for _, s := range c.refused {
			if try(s) == nil {
				t.Errorf("%s%v is taken", c.op, s)
			}
		}
	}
}
