package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
)

// collapse merges repeats and drops blanks (0).
func collapse(path []int) []int64 {
	var out []int64
	for i, label := range path {
		if label != 0 && (i == 0 || path[i-1] != label) {
			out = append(out, int64(label))
		}
	}
	return out
}

// bruteCTC adds the probabilities of all paths that read as target.
func bruteCTC(logs []float64, steps, labels int, target []int64) float64 {
	sum := 0.0
	count := int(math.Pow(float64(labels), float64(steps)))
	for code := range count {
		path, p := make([]int, steps), 0.0
		for t, rest := 0, code; t < steps; t++ {
			path[t] = rest % labels
			rest /= labels
			p += logs[t*labels+path[t]]
		}
		if slices.Equal(collapse(path), target) {
			sum += math.Exp(p)
		}
	}
	return -math.Log(sum)
}

func TestCTCLoss(t *testing.T) {
	const steps, labels = 5, 3
	for _, target := range [][]int64{{1}, {1, 2}, {2, 2}, {1, 2, 1}} {
		scores := make([]float64, steps*labels)
		for i := range scores {
			scores[i] = math.Sin(float64(3*i*i + 1))
		}
		loss := func(x *tensor.Tensor) (logs, loss *tensor.Tensor) {
			logs = tensor.Call("log_softmax.int", x, 2)[0]
			return logs, tensor.Call("_ctc_loss", logs, tensor.FromBuffer(buf.From(target, 1,
				len(target))), []int{steps}, []int{len(target)})[0]
		}
		x := tensor.FromBuffer(buf.From(scores, steps, 1, labels)).RequiresGrad()
		logs, y := loss(x)
		want := bruteCTC(logs.Float64s(), steps, labels, target)
		require.InDelta(t, want, y.Float64s()[0], 1e-12)
		grad := tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x},
			[]*tensor.Tensor{tensor.FromBuffer(buf.From([]float64{1}, 1))})[0].Float64s()
		for i := range scores {
			const h = 1e-6
			at := func(d float64) float64 {
				moved := slices.Clone(scores)
				moved[i] += d
				_, y := loss(tensor.FromBuffer(buf.From(moved, steps, 1, labels)))
				return y.Float64s()[0]
			}
			require.InDelta(t, (at(h)-at(-h))/(2*h), grad[i], 1e-8)
		}
	}
}

// TestCTCOneAfterTheOther: targets may stand one after the other with lengths that are data, and one sequence needs no
// dimension of the batch.
func TestCTCOneAfterTheOther(t *testing.T) {
	const steps, batch, labels = 5, 2, 3
	scores := make([]float64, steps*batch*labels)
	for i := range scores {
		scores[i] = math.Sin(float64(3*i*i + 1))
	}
	logs := tensor.Call("log_softmax.int", tensor.FromBuffer(buf.From(scores, steps, batch, labels)), 2)[0]
	member := func(n int) *tensor.Tensor { return logs.Narrow(1, n, 1).Squeeze().Clone() }
	lengths := tensor.Of([]int64{steps, steps})
	for _, targets := range [][][]int64{{{1, 2}, {1}}, {{2}, {1, 2, 1}}, {{}, {2, 2}}} {
		own := tensor.Of([]int64{int64(len(targets[0])), int64(len(targets[1]))})
		all := tensor.Of(slices.Concat(targets...))
		losses := tensor.Call("ctc_loss.Tensor", logs, all, lengths, own, 0, 0)[0].Float64s()
		for n, target := range targets {
			want := bruteCTC(member(n).Float64s(), steps, labels, target)
			require.InDelta(t, want, losses[n], 1e-12)
			if len(target) == 0 {
				continue
			}
			single := tensor.Call("ctc_loss.Tensor", member(n), tensor.Of(target), tensor.Scalar(int64(steps)), tensor.Scalar(int64(len(target))), 0, 0)[0]
			require.Empty(t, single.Shape())
			require.InDelta(t, want, single.Float64s()[0], 1e-12)
		}
		alpha := tensor.Call("_ctc_loss.Tensor", logs, all, lengths, own)[1]
		require.Equal(t, []int{batch, steps, 2*all.Size(0) + 1}, alpha.Shape())
		for n, target := range targets {
			ends := alpha.Select(0, n).Select(0, steps-1).Float64s()
			last := 2 * len(target)
			require.InDelta(t, losses[n], -math.Log(math.Exp(ends[last])+math.Exp(ends[max(last-1, 0)])*float64(min(last, 1))), 1e-12)
		}
		beyond := tensor.Of([]int64{2, 9})
		require.ErrorContains(t, tensor.Try(func() { tensor.Call("ctc_loss.Tensor", logs, all, lengths, beyond, 0, 0)[0].Float64s() }), "lie outside")
	}
}
