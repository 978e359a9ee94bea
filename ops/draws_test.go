package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

// TestPhiloxBits: the known answers of Random123 for philox4x32 with ten rounds.
func TestPhiloxBits(t *testing.T) {
	zero := tensor.FromSlice([]int64{0}).View([]int{})
	got := tensor.Call("philox_bits", []int{4}, zero, zero)[0].Int64s()
	for i, w := range []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8} {
		require.Equal(t, w, uint32(got[i]))
	}
}

// TestDistributions: at a fixed seed numbers have the mean, the variance and the
// distribution that they should.
func TestDistributions(t *testing.T) {
	for _, op := range ops.All() {
		if !op.Draws || op.IsInplace() {
			continue
		}
		d, ok := reference.Distributions[op.Name()]
		require.True(t, ok, "%s has no distribution", op.Name())
		t.Run(op.Name(), func(t *testing.T) {
			tensor.Seed(11)
			x := d.Draw(40_000)
			n := float64(len(x))
			mean, variance := stat.MeanVariance(x, nil)
			if !math.IsNaN(d.Mean) {
				require.InDelta(t, d.Mean, mean, 4*math.Sqrt(d.Variance/n))
				require.InEpsilon(t, d.Variance, variance, 0.06)
			}
			if d.CDF == nil {
				counted(t, d, x)
				return
			}
			slices.Sort(x)
			most := 0.0
			for i, v := range x {
				p := d.CDF(v)
				most = max(most, p-float64(i)/n, float64(i+1)/n-p)
			}
			// One sample in a thousand of the right distribution has a larger distance.
			require.Less(t, most, 1.95/math.Sqrt(n))
		})
	}
}

// counted compares how often each number comes.
func counted(t *testing.T, d reference.Distribution, x []float64) {
	rest, n := len(x), float64(len(x))
	for v, p := range d.Probabilities {
		count := 0
		for _, got := range x {
			if math.Abs(got-v) < 1e-6 {
				count++
			}
		}
		rest -= count
		require.InDelta(t, p, float64(count)/n, 4*math.Sqrt(p*(1-p)/n)+1e-12, "%v", v)
	}
	require.LessOrEqual(t, rest, 2, "numbers that have no probability")
}

// TestChannels: the dropouts of features drop whole channels.
func TestChannels(t *testing.T) {
	tensor.Seed(3)
	for _, name := range []string{"feature_dropout", "feature_alpha_dropout"} {
		x := tensor.Call(name, tensor.Ones(50, 4, 3, 2), 0.5, true)[0].Float64s()
		seen := map[float64]int{}
		for i := 0; i < len(x); i += 6 {
			seen[x[i]]++
			for _, v := range x[i : i+6] {
				require.Equal(t, x[i], v)
			}
		}
		require.Len(t, seen, 2, name)
	}
}
