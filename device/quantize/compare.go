package quantize

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/device"
)

// Comparison says how a quantized program differs from the one in f32.
type Comparison struct {
	Worst, RMS   float64 // the largest error of an element of the results, and the root of the mean square
	Largest      float64 // the largest magnitude of an element in f32
	Exact, Quick time.Duration
	ratio        float64
	Runs         int
	elements     int
	Same         int // rows of the first result whose largest element is at the same place
	Rows         int // of the first result
}

// Compare runs both programs on the inputs, in turns, and compares their results. Times are medians over runs of each,
// and Speedup is the median of the ratios of neighbouring runs. An error is one of a run.
func Compare(ctx context.Context, exact, quantized device.Executable, inputs []*buf.Buffer, runs int) (*Comparison, error) {
	c := &Comparison{Runs: max(runs, 1)}
	programs := [2]device.Executable{exact, quantized}
	var results [2][]*buf.Buffer
	var took [2][]time.Duration
	var ratios []float64
	for range c.Runs + 1 { // the first is for what is done once
		for i, p := range programs {
			start := time.Now()
			out, err := p.Run(ctx, inputs)
			if err != nil {
				return nil, err
			}
			results[i], took[i] = out, append(took[i], time.Since(start))
		}
		last := len(took[0]) - 1
		ratios = append(ratios, float64(took[0][last])/float64(max(took[1][last], 1)))
	}
	c.Exact, c.Quick = median.Of(took[0][1:]), median.Of(took[1][1:])
	c.ratio = median.Of(ratios[1:])
	for i, want := range results[0] {
		c.add(want, results[1][i])
	}
	c.RMS = math.Sqrt(c.RMS / float64(max(c.elements, 1)))
	if len(results[0]) > 0 {
		c.rank(results[0][0], results[1][0])
	}
	return c, nil
}

func (c *Comparison) add(want, got *buf.Buffer) {
	if !want.DType.IsFloat() {
		return
	}
	for i := range want.Len() {
		v := want.Float64(i)
		e := math.Abs(v - got.Float64(i))
		c.Worst, c.Largest, c.RMS = max(c.Worst, e), max(c.Largest, math.Abs(v)), c.RMS+e*e
		c.elements++
	}
}

// rank counts the rows that name the same class.
func (c *Comparison) rank(want, got *buf.Buffer) {
	n := 0
	if rank := len(want.Shape); rank > 0 {
		n = want.Shape[rank-1]
	}
	if n == 0 || !want.DType.IsFloat() {
		return
	}
	for row := 0; row < want.Len(); row += n {
		c.Rows++
		if largest(want, row, n) == largest(got, row, n) {
			c.Same++
		}
	}
}

func largest(b *buf.Buffer, row, n int) int {
	best := 0
	for i := range n {
		if b.Float64(row+i) > b.Float64(row+best) {
			best = i
		}
	}
	return best
}

// Speedup is the median of the times in f32 over the times of the quantized program, run by run.
func (c *Comparison) Speedup() float64 { return c.ratio }

// String returns the comparison as two lines.
func (c *Comparison) String() string {
	return fmt.Sprintf("int8 against f32: largest error %.3g, root of mean square %.3g, of values up to %.3g; %d of %d rows have their largest element at the same place\n"+
		"int8 %v, f32 %v: %.2f times as fast (medians of %d runs in turns)",
		c.Worst, c.RMS, c.Largest, c.Same, c.Rows, c.Quick, c.Exact, c.ratio, c.Runs)
}
