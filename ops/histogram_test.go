package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestHistograms compares counts of points in one to three dimensions with loops over points and bins, within a range
// and without, weighted and as a density. A bin has its lower edge, the last one its upper edge, too.
func TestHistograms(t *testing.T) {
	tensor.Seed(17)
	for _, bins := range [][]int{{4}, {4, 3}, {2, 3, 5}} {
		d, n := len(bins), 40
		points := tensor.Uniform(-3, 3, n, d).ToDtype(tensor.Of(1.).DType())
		weights := tensor.Uniform(0, 2, n).ToDtype(points.DType())
		at, w := points.Float64s(), weights.Float64s()
		for variant := range 8 {
			var limits, weight any
			low, high := make([]float64, d), make([]float64, d)
			for k := range d {
				low[k], high[k] = at[k], at[k]
				for i := range n {
					low[k], high[k] = min(low[k], at[i*d+k]), max(high[k], at[i*d+k])
				}
			}
			if variant&1 != 0 {
				list := []float64{}
				for k := range d {
					low[k], high[k] = -2+0.25*float64(k), 1.5+0.5*float64(k)
					list = append(list, low[k], high[k])
				}
				limits = list
			}
			if variant&2 != 0 {
				weight = weights
			}
			density := variant&4 != 0
			size, volume := 1, 1.0
			for k, b := range bins {
				size *= b
				volume *= (high[k] - low[k]) / float64(b)
			}
			want, total := make([]float64, size), 0.0
			for i := range n {
				place, inside := 0, true
				for k, b := range bins {
					v := at[i*d+k]
					inside = inside && low[k] <= v && v <= high[k]
					place = place*b + min(int((v-low[k])/(high[k]-low[k])*float64(b)), b-1)
				}
				if inside {
					one := 1.0
					if weight != nil {
						one = w[i]
					}
					want[place] += one
					total += one
				}
			}
			if density {
				for i := range want {
					want[i] /= total * volume
				}
			}
			got := tensor.Call("_histogramdd_from_bin_cts", points, bins, limits, weight, density)[0]
			require.Equal(t, bins, got.Shape())
			require.InDeltaSlice(t, want, got.Float64s(), 1e-12, "%v, variant %d", bins, variant)
			if d == 1 {
				both := tensor.Call("histogram.bin_ct", points.View([]int{n}), bins[0], limits, weight, density)
				require.InDeltaSlice(t, want, both[0].Float64s(), 1e-12)
				for i, e := range both[1].Float64s() {
					require.InDelta(t, low[0]+(high[0]-low[0])*float64(i)/float64(bins[0]), e, 1e-12)
				}
			}
		}
	}
	points := tensor.Ones(3, 2)
	for want, limits := range map[string][]float64{"range has 3 entries for 2 dimensions": {0, 1, 2}, "range has 2 entries for 2 dimensions": {0, 1}} {
		require.ErrorContains(t, tensor.Try(func() { tensor.Call("_histogramdd_from_bin_cts", points, []int{2, 2}, limits) }), want)
	}
}

// Bins have no width where one more and one less than the only value is the value itself: all is in the first.
func TestHistogramWithoutWidth(t *testing.T) {
	counts := tensor.Of([]float64{-1e18, -1e18}).Histc(tensor.With("bins", 3))
	require.Equal(t, []float64{2, 0, 0}, counts.Float64s())
}

// TestNothingIsCounted: PyTorch counts nothing as integers, weighted or not.
func TestNothingIsCounted(t *testing.T) {
	none := tensor.FromSlice([]float64{})
	counts := tensor.Call("bincount", none.ToDtype(dtype.I64), none, 2)[0]
	require.Equal(t, dtype.I64, counts.DType())
	require.Equal(t, []float64{0, 0}, counts.Float64s())
}
