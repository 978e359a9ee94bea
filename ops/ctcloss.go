package ops

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// ctc_loss: minus the log probability that a sequence of labels, with blanks between
// them and repeats merged, is read from a sequence of log probabilities [T, N, C]
// (Graves et al., Connectionist Temporal Classification, ICML 2006). log_alpha
// [N, T, 2S+1] has the log probabilities of the prefixes: state 2k+1 is label k,
// states between are blanks. Both directions run on the host. S is the length of the longest target, or as many targets
// as there are where targets stand one after the other and their lengths are data.
func init() {
	const first = "(Tensor log_probs, Tensor targets, "
	for _, lengths := range []struct{ overload, of, params string }{
		{"", "_ctc_loss_backward", "int[] input_lengths, int[] target_lengths, "},
		{".Tensor", "_ctc_loss_backward.Tensor", "Tensor input_lengths, Tensor target_lengths, "},
	} {
		sample := Sample{S(4, 2, 3), T{DType: dtype.I64, Shape: []int{2, 2}, Low: 1, High: 3},
			[]int{4, 3}, []int{2, 1}}
		if lengths.overload != "" {
			sample[2] = T{DType: dtype.I64, Shape: []int{2}, Low: 3, High: 5}
			sample[3] = T{DType: dtype.I64, Shape: []int{2}, Low: 1, High: 3}
		}
		register(&Op{
			Schema: "_ctc_loss" + lengths.overload + first + lengths.params +
				"int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
			Infer: inferCTC,
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				x, err := newCTC(h, 0)
				if err != nil {
					return nil, err
				}
				return x.forward(h), nil
			},
			Grad: func(g *Gradient) {
				g.Set(0, g.Call(lengths.of, g.Grad(0), g.Tensor(0), g.Tensor(1), g.Args[2],
					g.Args[3], g.Results[0], g.Results[1], g.Args[4], g.Args[5]))
			},
			Samples: samplesOf(sample),
		})
		registerCTCBackward(lengths.overload, lengths.params, sample)
	}
}

func registerCTCBackward(overload, lengths string, forward Sample) {
	register(&Op{
		Schema: "_ctc_loss_backward" + overload + "(Tensor grad, Tensor log_probs, " +
			"Tensor targets, " + lengths + "Tensor neg_log_likelihood, Tensor log_alpha, " +
			"int blank, bool zero_infinity=False) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.checkCTC(1); err != nil {
				return err
			}
			in, alpha := c.Shape(1), c.Shape(6)
			if n := in[1:2]; !shape.Equal(c.Shape(0), n) || !shape.Equal(c.Shape(5), n) ||
				len(alpha) != 3 || alpha[0] != in[1] || alpha[1] != in[0] {
				return c.ShapeErrorf("grad %s and log_alpha %s do not fit log_probs %s",
					shape.String(c.Shape(0)), shape.String(alpha), shape.String(in))
			}
			return c.Result(c.DTypeOf(1), in)
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			x, err := newCTC(h, 1)
			if err != nil {
				return nil, err
			}
			if x.batch > 0 && x.longest != h.Shape(6)[2] {
				return nil, h.ShapeErrorf("log_alpha %s is not of %d states",
					shape.String(h.Shape(6)), x.longest)
			}
			return x.backward(h), nil
		},
		Samples: samplesOf(append(append(Sample{S(2)}, forward...), S(2), S(2, 4, 5), 0)),
	})
}

// inferCTC gives the losses and log_alpha.
func inferCTC(c *Call) error {
	if err := c.checkCTC(0); err != nil {
		return err
	}
	targets := c.Shape(1)
	longest := targets[len(targets)-1]
	if len(targets) == 1 && c.Args[3].Kind == KindInts {
		longest = 0
		for _, k := range c.Ints(3) {
			longest = max(longest, k)
		}
		if longest > targets[0] {
			return c.ShapeErrorf("target_lengths reach %d of %d targets", longest, targets[0])
		}
	}
	in := c.Shape(0)
	alpha := []int{in[1], in[0], 2*longest + 1}
	if err := shape.Check(alpha); err != nil {
		return err
	}
	c.Result(c.DTypeOf(0), in[1:2:2])
	return c.Result(c.DTypeOf(0), alpha)
}

// checkCTC checks log_probs, argument at, and targets after it.
func (c *Call) checkCTC(at int) error {
	in, targets := c.Shape(at), c.Shape(at+1)
	if d := c.DTypeOf(at); d != dtype.F32 && d != dtype.F64 {
		return c.DTypeErrorf("takes log_probs of f32 and f64, got %v", d)
	}
	if c.DTypeOf(at+1).Category() != dtype.CategoryInt {
		return c.DTypeErrorf("takes targets of integers, got %v", c.DTypeOf(at+1))
	}
	for i := at + 2; i < at+4; i++ {
		if c.Tensor(i) != nil && c.DTypeOf(i).Category() != dtype.CategoryInt {
			return c.DTypeErrorf("takes lengths of integers, got %v", c.DTypeOf(i))
		}
	}
	if len(in) != 3 || len(targets) != 1 && (len(targets) != 2 || targets[0] != in[1]) {
		return c.ShapeErrorf("log_probs %s and targets %s do not fit", shape.String(in),
			shape.String(targets))
	}
	if blank := c.Int(4 + 3*at); blank < 0 || blank >= in[2] {
		return c.ArgErrorf("blank %d is none of %d labels", blank, in[2])
	}
	return nil
}

// ctc is one call: log probabilities and the sequences of every member of the batch.
type ctc struct {
	logs                 []float64
	steps, batch, labels int
	length               []int   // of the inputs
	states               [][]int // the labels of each member's states, blanks included
	longest              int     // states of the longest target
	zeroInfinity         bool
}

func newCTC(h *HostCall, at int) (*ctc, error) {
	dims := h.Shape(at)
	x := &ctc{logs: numbers[float64](h.Buffer(at)), steps: dims[0], batch: dims[1], labels: dims[2],
		zeroInfinity: h.Bool(5 + 3*at)}
	targets, blank := h.Buffer(at+1), h.Int(4+3*at)
	counts := h.lengths(at + 3)
	x.length = h.lengths(at + 2)
	if len(counts) != x.batch || len(x.length) != x.batch {
		return nil, h.ShapeErrorf("%d and %d lengths for a batch of %d", len(x.length), len(counts),
			x.batch)
	}
	if last := len(targets.Shape) - 1; last == 1 || h.Args[at+3].Kind != KindInts {
		x.longest = 2*targets.Shape[last] + 1
	}
	next := 0
	for n, count := range counts {
		limit := targets.Len() - next
		if len(targets.Shape) == 2 {
			limit, next = targets.Shape[1], n*targets.Shape[1]
		}
		if count < 0 || count > limit || x.length[n] < 0 || x.length[n] > x.steps {
			return nil, h.ArgErrorf("lengths %d and %d of member %d lie outside %s and %s",
				x.length[n], count, n, shape.String(dims), shape.String(targets.Shape))
		}
		states := []int{blank}
		for i := range count {
			label := int(targets.Int64(next + i))
			if label < 0 || label >= x.labels {
				return nil, h.ArgErrorf("target %d is none of %d labels", label, x.labels)
			}
			states = append(states, label, blank)
		}
		x.states = append(x.states, states)
		x.longest = max(x.longest, len(states))
		next += count
	}
	return x, nil
}

// lengths returns an argument that is a list or a tensor of integers.
func (h *HostCall) lengths(i int) []int {
	if h.Args[i].Kind == KindInts {
		return h.Ints(i)
	}
	b := h.Buffer(i)
	out := make([]int, b.Len())
	for k := range out {
		out[k] = int(b.Int64(k))
	}
	return out
}

// at returns the log probability of a label of member n at a step.
func (x *ctc) at(step, n, label int) float64 { return x.logs[(step*x.batch+n)*x.labels+label] }

// skips reports whether state s may follow state s-2: another label, not a blank.
func skips(states []int, s int) bool {
	return s >= 2 && s < len(states) && s%2 == 1 && states[s] != states[s-2]
}

// forward returns the losses and log_alpha; states that a member lacks are -∞.
func (x *ctc) forward(h *HostCall) []*buf.Buffer {
	losses := make([]float64, x.batch)
	alpha := make([]float64, x.batch*x.steps*x.longest)
	for i := range alpha {
		alpha[i] = math.Inf(-1)
	}
	for n, states := range x.states {
		own := alpha[n*x.steps*x.longest:]
		for t := range x.length[n] {
			for s, label := range states {
				before := math.Inf(-1)
				switch {
				case t == 0 && s < 2:
					before = 0
				case t > 0:
					before = reaching(own[(t-1)*x.longest:], states, s)
				}
				own[t*x.longest+s] = before + x.at(t, n, label)
			}
		}
		losses[n] = -x.total(own, n)
	}
	dims := []int{x.batch, x.steps, x.longest}
	if len(h.Out) > 1 {
		dims = h.Out[1].Shape
	}
	d := h.DTypeOf(0)
	return []*buf.Buffer{fromNumbers(d, []int{x.batch}, losses), fromNumbers(d, dims, alpha)}
}

// reaching is the log probability of the states that state s may follow, whose own are given.
func reaching(before []float64, states []int, s int) float64 {
	p := before[s]
	if s > 0 {
		p = logSum(p, before[s-1])
	}
	if skips(states, s) {
		p = logSum(p, before[s-2])
	}
	return p
}

// total is the log probability of member n, whose prefixes are given.
func (x *ctc) total(alpha []float64, n int) float64 {
	states := len(x.states[n])
	if x.length[n] == 0 {
		if states == 1 {
			return 0
		}
		return math.Inf(-1)
	}
	last := alpha[(x.length[n]-1)*x.longest:]
	if states == 1 {
		return last[0]
	}
	return logSum(last[states-1], last[states-2])
}

// backward returns the gradient of log_probs: exp(log_prob) minus the probability
// that the label is read at the step, given the target. Like PyTorch's, it is that
// with respect to the scores before a log_softmax that makes log_probs.
func (x *ctc) backward(h *HostCall) []*buf.Buffer {
	grads := numbers[float64](h.Buffer(0))
	losses, alpha := numbers[float64](h.Buffer(5)), numbers[float64](h.Buffer(6))
	out := make([]float64, len(x.logs))
	for n, states := range x.states {
		if x.zeroInfinity && math.IsInf(losses[n], 1) {
			continue
		}
		own := alpha[n*x.steps*x.longest:]
		beta := make([]float64, len(states)+2) // log probabilities of the suffixes
		for t := x.length[n] - 1; t >= 0; t-- {
			x.step(beta, states, t, n)
			read := make([]float64, x.labels)
			for i := range read {
				read[i] = math.Inf(-1)
			}
			for s, label := range states {
				read[label] = logSum(read[label], own[t*x.longest+s]+beta[s])
			}
			for c := range read {
				p := x.at(t, n, c)
				out[(t*x.batch+n)*x.labels+c] = (math.Exp(p) - math.Exp(read[c]+losses[n]-p)) * grads[n]
			}
		}
	}
	return []*buf.Buffer{fromNumbers(h.DTypeOf(1), h.Shape(1), out)}
}

// step replaces the suffixes that start after step t by those that start at it.
func (x *ctc) step(beta []float64, states []int, t, n int) {
	last := t == x.length[n]-1
	for s, label := range states {
		after := math.Inf(-1)
		switch {
		case last && s >= len(states)-2:
			after = 0
		case !last:
			after = beta[s]
			if s+1 < len(states) {
				after = logSum(after, beta[s+1])
			}
			if skips(states, s+2) {
				after = logSum(after, beta[s+2])
			}
		}
		beta[s] = after + x.at(t, n, label)
	}
}

// logSum returns log(eᵃ + eᵇ).
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
