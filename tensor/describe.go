package tensor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
)

// Describe says what the elements are like, on a few lines: how many there are, mean and
// standard deviation, quantiles, how many are zero, infinite or NaN, and a histogram. It is
// a barrier. Complex numbers are described by their magnitudes.
func (t *Tensor) Describe() string {
	all := t.magnitudes()
	var b strings.Builder
	fmt.Fprintf(&b, "%v%s on %s, %d elements", t.DType(), shape.String(t.dims()), t.Device().Name(), len(all))
	zeros, infinite, nan := 0, 0, 0
	finite := make([]float64, 0, len(all))
	for _, v := range all {
		switch {
		case math.IsNaN(v):
			nan++
			continue
		case math.IsInf(v, 0):
			infinite++
			continue
		case v == 0:
			zeros++
		}
		finite = append(finite, v)
	}
	for _, n := range []struct {
		count int
		what  string
	}{{zeros, "zero"}, {infinite, "infinite"}, {nan, "NaN"}} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	b.WriteByte('\n')
	if len(finite) == 0 {
		return b.String()
	}
	mean, deviation := moments(finite)
	slices.Sort(finite)
	at := func(share float64) float64 { return finite[int(share*float64(len(finite)-1)+0.5)] }
	fmt.Fprintf(&b, "mean %.4g, deviation %.4g\n", mean, deviation)
	fmt.Fprintf(&b, "least %.4g, quarter %.4g, median %.4g, three quarters %.4g, greatest %.4g\n",
		finite[0], at(0.25), at(0.5), at(0.75), finite[len(finite)-1])
	fmt.Fprintf(&b, "%.4g %s %.4g\n", finite[0], blocks(counts(finite, 40)), finite[len(finite)-1])
	return b.String()
}

// magnitudes returns the elements, and for complex tensors their absolute values.
func (t *Tensor) magnitudes() []float64 {
	b := t.mustBuffer()
	all := make([]float64, b.Len())
	for i := range all {
		if all[i] = b.Float64(i); t.DType().IsComplex() {
			c := b.Complex(i)
			all[i] = math.Hypot(real(c), imag(c))
		}
	}
	return all
}

// moments returns the mean and the standard deviation of a population.
func moments(v []float64) (mean, deviation float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		deviation += (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, math.Sqrt(deviation)
}

// counts returns how many of the numbers, which are finite, lie in each of n parts of their
// range.
func counts(v []float64, n int) []int {
	out := make([]int, n)
	if len(v) == 0 {
		return out
	}
	low, high := slices.Min(v), slices.Max(v)
	for _, x := range v {
		i := 0
		if high > low {
			i = min(int((x/2-low/2)/(high/2-low/2)*float64(n)), n-1) // halves, whose differences are finite
		}
		out[i]++
	}
	return out
}

// blocks draws counts as a line of blocks; a count that is not zero has a block.
func blocks(counts []int) string {
	levels := []rune(" ▁▂▃▄▅▆▇█")
	most := slices.Max(counts)
	var b strings.Builder
	for _, c := range counts {
		b.WriteRune(levels[(c*(len(levels)-1)+most-1)/max(most, 1)])
	}
	return b.String()
}
