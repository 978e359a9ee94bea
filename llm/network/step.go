package network

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// steps are the functions of a network that compute passes, by their numbers. Each is recorded once; from then on a
// token costs its program and what writes its inputs. One goroutine uses them.
type steps struct {
	of   map[Numbers]*lazy.Function[*tensor.Tensor]
	last *pass // the next pass of its numbers writes its inputs again

	tokens []int // of the rows of a pass
	at     []int // their positions
}

// mostSteps bounds the functions.
const mostSteps = 256

// pass returns a pass whose inputs are to be written.
func (t *steps) pass(n *Network, m *Memory, of Numbers) *pass {
	if t.last == nil || t.last.numbers != of || t.last.memory != m {
		t.drop() // before the next one has memory
		t.last = newPass(n, of).room(m)
	}
	return t.last
}

// drop forgets the last pass. The next one may have the memory of its scores.
func (t *steps) drop() {
	if t.last != nil {
		for _, x := range t.last.results {
			lazy.Donate(x)
		}
	}
	t.last = nil
}

// run computes a pass. It returns the scores, whose memory the next run has. Keys and values are written where they
// are.
func (t *steps) run(s *pass) (l sampling.Logits, err error) {
	if s.call == nil {
		s.call, err = s.memory.Prepare(context.Background(), t.function(s), s.arguments()...)
	}
	var results []*tensor.Tensor
	if err == nil {
		results, err = s.call.Run(context.Background())
	}
	if err != nil {
		t.last = nil
		return sampling.Logits{}, err
	}
	if len(s.results) == 0 || s.results[0] != results[0] {
		s.results, s.scores = results, scoresOf(results)
	}
	return s.scores, nil
}

// scoresOf are the scores of results, and their peaks.
func scoresOf(results []*tensor.Tensor) (l sampling.Logits) {
	l.Scores = held(results[0])
	if len(results) > 1 {
		l.Peaks = held(results[1])
	}
	return l
}

// held are the elements of a result, which the reader may change: nobody else has them, and they stay free to be taken.
func held(x *tensor.Tensor) []float32 {
	_, v := x.Trace()
	n, result := trace.Of(v)
	return buf.Slice[float32](n.Data(result))
}

// explain says what a pass would run.
func (t *steps) explain(s *pass) (*lazy.Explanation, error) {
	return s.memory.Explain(t.function(s), s.arguments()...)
}

// arguments are the tensors of a pass.
func (s *pass) arguments() (list []*tensor.Tensor) {
	s.each(func(x **tensor.Tensor) { list = append(list, *x) })
	return list
}

// function returns what computes passes of the same numbers: the memory and the inputs become the memory and scores.
func (t *steps) function(s *pass) *lazy.Function[*tensor.Tensor] {
	f := t.of[s.numbers]
	if f == nil {
		if t.of == nil || len(t.of) >= mostSteps {
			t.of = map[Numbers]*lazy.Function[*tensor.Tensor]{}
		}
		net, of := s.net, s.numbers
		f = lazy.Compile(func(args ...*tensor.Tensor) []*tensor.Tensor { return newPass(net, of).with(args).compute() }).Fixed(net.Tensors()...)
		t.of[of] = f
	}
	return f
}

// each calls f with the inputs of the pass in the order in which its function has them.
func (s *pass) each(f func(t **tensor.Tensor)) {
	f(&s.x.Tensor)
	if s.net.LayerWidth > 0 {
		f(&s.beside.Tensor)
	}
	f(&s.where.Tensor)
	for i := range s.turns {
		f(&s.turns[i].cos.Tensor)
		f(&s.turns[i].sin.Tensor)
	}
	if s.net.Temperature != 0 {
		f(&s.heat.Tensor)
	}
	for i := range s.pools {
		f(&s.pools[i].places.Tensor)
		f(&s.pools[i].table.Tensor)
	}
	if s.numbers.Picks > 0 {
		f(&s.pick.Tensor)
	}
}

// with gives a pass its tensors, what the memory has first.
func (s *pass) with(args []*tensor.Tensor) *pass {
	count := s.net.first[s.net.Layers]
	s.cache, args = slices.Clone(args[:count]), args[count:]
	s.each(func(t **tensor.Tensor) { *t, args = args[0], args[1:] })
	return s
}

// compute records the pass: what the memory has then, and the scores.
func (s *pass) compute() []*tensor.Tensor {
	rows := s.net.forward(s.x.Tensor, s)
	if s.numbers.Picks > 0 {
		rows = rows.IndexSelect(0, s.pick.Tensor)
	}
	scores := s.net.Scores(rows)
	out := append(slices.Clip(s.cache), scores)
	if groups := s.net.Vocabulary / sampling.Group; groups > 0 {
		rows := scores.Size(0)
		out = append(out, scores.Narrow(1, 0, groups*sampling.Group).Reshape([]int{rows, groups, sampling.Group}).Amax(tensor.Dim(-1)))
	}
	return out
}

// Explain says what a pass of numbers would run, over a cache in pools. Errors are those of [NewMemory] and of
// [lazy.Explain].
func (n *Network) Explain(of Numbers, pools []*cache.Pool) (*lazy.Explanation, error) {
	m, err := NewMemory(n, pools)
	if err != nil {
		return nil, err
	}
	var t steps // beside those that compute
	return t.explain(t.pass(n, m, of))
}

// Compute runs pieces of sequences, over the memory of a cache in pools, which is made if it is nil. It returns the
// scores of the picked rows, or of all, which the next pass of the network replaces. Errors are those of [NewMemory],
// of compiling and of the run.
func (n *Network) Compute(mem **Memory, pools []*cache.Pool, list []schedule.Piece, of Numbers) (l sampling.Logits, err error) {
	if *mem == nil {
		if *mem, err = NewMemory(n, pools); err != nil {
			return l, err
		}
	}
	s, err := n.steps.fill(n, *mem, pools, list, of)
	if err != nil {
		return l, err
	}
	return n.steps.run(s)
}
