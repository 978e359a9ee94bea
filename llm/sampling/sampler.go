package sampling

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-acap/acap/text/tokenizer"
)

// Sampler chooses the tokens of one sequence. It is for one goroutine.
type Sampler struct {
	Options
	chance *rand.Rand
	list   []candidate
	known  bool        // the list has the tokens that TopP leaves
	counts map[int]int // of tokens that were there

	weights  []float32 // of all tokens
	breakers breakers  // of DRY
	surprise float64   // in bits, which Mirostat bounds

	ends []int // tokens that end an answer
	text func(token int) string
}

// New returns a sampler for one sequence. tokens says which tokens hold the breakers of DRY, and their
// texts; without DRY and Infill it may be nil. The error is that of [tokenizer.Tokenizer.Encode] for a breaker.
func New(o Options, tokens *tokenizer.Tokenizer) (*Sampler, error) {
	breakers, err := breakersOf(o.DRY, tokens)
	if err != nil {
		return nil, err
	}
	seed := o.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	s := &Sampler{Options: o, chance: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), breakers: breakers,
		surprise: 2 * orElse(o.MirostatTau, 5)}
	if o.Infill {
		s.ends = tokens.Ends()
		s.text = func(token int) string {
			if tokens.IsSpecial(token) {
				return ""
			}
			return tokens.Text(token)
		}
	}
	return s, nil
}

// Choose returns a token by its scores, which it changes; -1 if no token may come. seen are the tokens before it.
func (s *Sampler) Choose(l Logits, seen []int) int {
	if s.Mirostat == 0 {
		s.penalise(l, seen)
		s.dry(l, seen)
	}
	switch {
	case l.none():
		return -1
	case s.Temperature <= 0 && !s.Infill:
		return l.Best()
	case s.Mirostat > 0:
		return s.mirostat(l)
	case !s.selects():
		return s.draw(l)
	}
	s.collect(l)
	s.typical()
	s.nucleus()
	s.leastLikely()
	s.exclude()
	if s.fill(); len(s.list) == 0 {
		return -1
	}
	if s.Temperature <= 0 {
		return slices.MinFunc(s.list, likelier).token
	}
	s.heat()
	return s.pick().token
}

// pick leaves the choice among the candidates to chance.
func (s *Sampler) pick() candidate {
	s.softmax()
	r := s.chance.Float64()
	for _, c := range s.list {
		if r -= c.p; r < 0 {
			return c
		}
	}
	return s.list[len(s.list)-1]
}

// draw chooses among all tokens by their scores alone.
func (s *Sampler) draw(l Logits) int {
	most, sum := float64(l.Scores[l.Best()]), 0.0
	s.weights = append(s.weights[:0], l.Scores...)
	for i, v := range s.weights {
		w := float32(math.Exp((float64(v) - most) / s.Temperature))
		s.weights[i] = w
		sum += float64(w)
	}
	r := s.chance.Float64() * sum
	for i, w := range s.weights {
		if r -= float64(w); r < 0 {
			return i
		}
	}
	return l.Best()
}

// selects reports whether some part needs a list of candidates.
func (s *Sampler) selects() bool {
	return s.Infill || s.TopK > 0 || s.TopNSigma > 0 || s.typicals() || s.nuclear() || s.MinP > 0 || s.XTCProbability > 0 || s.TemperatureRange > 0
}
