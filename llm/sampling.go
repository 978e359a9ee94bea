package llm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Sampling says how a token is chosen from the scores of the vocabulary. Its parts work in this order: bias, NotFirst, LeastTokens,
// LeastLength, NoRepeat and LastTokens, grammar, penalties, DRY, TopNSigma, TopK, Typical, TopP, MinP, XTC, Temperature, and then chance. With Mirostat
// they are those up to the grammar, Temperature and Mirostat. The zero value takes the most likely token.
type Sampling struct {
	Temperature         float64 `json:"temperature,omitempty"`       // scores are divided by it; 0 takes the most likely token
	TemperatureRange    float64 `json:"dynatemp_range,omitempty"`    // the temperature is so much less where the model is sure, and so much more where it is not
	TemperatureExponent float64 `json:"dynatemp_exponent,omitempty"` // of the share of the largest entropy that says how sure; 0 for 1

	TopK      int     `json:"top_k,omitempty"`       // so many of the most likely tokens; 0 or less for all
	TopP      float64 `json:"top_p,omitempty"`       // the most likely tokens that together have this probability; 0 or 1 for all
	MinP      float64 `json:"min_p,omitempty"`       // tokens that are at least so likely in proportion to the most likely one
	Typical   float64 `json:"typical_p,omitempty"`   // tokens whose surprise is nearest to the expected one, up to this probability; 0 or 1 for all
	TopNSigma float64 `json:"top_n_sigma,omitempty"` // tokens within so many standard deviations of the best score; 0 for all

	XTCProbability float64 `json:"xtc_probability,omitempty"` // how often the most likely tokens are left out
	XTCThreshold   float64 `json:"xtc_threshold,omitempty"`   // all but the last one that are at least so likely

	Mirostat    int     `json:"mirostat,omitempty"`     // 1 or 2 keeps the surprise of answers near MirostatTau by that version of Mirostat; 0 for none
	MirostatTau float64 `json:"mirostat_tau,omitempty"` // in bits; 0 for 5
	MirostatEta float64 `json:"mirostat_eta,omitempty"` // how fast Mirostat learns; 0 for 0.1

	RepeatPenalty    float64 `json:"repeat_penalty,omitempty"`    // divides the scores of tokens that were there, multiplies negative ones; 0 or 1 for none
	FrequencyPenalty float64 `json:"frequency_penalty,omitempty"` // is subtracted for each time that a token was there
	PresencePenalty  float64 `json:"presence_penalty,omitempty"`  // is subtracted from tokens that were there
	RepeatLast       int     `json:"repeat_last_n,omitempty"`     // how many of the last tokens penalties look at; 0 for 64, -1 for all

	DRY

	NoRepeat    int             `json:"no_repeat_ngram_size,omitempty"`  // no so many tokens come a second time one behind another; 0 for any
	Bias        map[int]float64 `json:"logit_bias,omitempty"`            // is added to scores of tokens
	Sequences   []SequenceBias  `json:"sequence_bias,omitempty"`         // are added to scores of tokens behind others
	NotFirst    []int           `json:"begin_suppress_tokens,omitempty"` // tokens that an answer does not begin with
	LeastTokens int             `json:"min_tokens,omitempty"`            // of an answer, in front of which the model does not end it
	LeastLength int             `json:"min_length,omitempty"`            // the same of a prompt and its answer together
	LastTokens  []int           `json:"forced_eos_token_id,omitempty"`   // one of these is the last token of an answer of as many tokens as there may be

	Seed uint64 `json:"seed,omitempty"` // of chance; 0 takes another one each time
}

// check names the first number that says nothing to a model with so many tokens.
func (s *Sampling) check(vocabulary int) error {
	const any = math.MaxFloat64
	for _, n := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"Temperature", s.Temperature, 0, any}, {"TopP", s.TopP, 0, 1}, {"MinP", s.MinP, 0, 1},
		{"TemperatureRange", s.TemperatureRange, 0, any}, {"TemperatureExponent", s.TemperatureExponent, 0, any},
		{"Typical", s.Typical, 0, 1}, {"TopNSigma", s.TopNSigma, 0, any},
		{"XTCProbability", s.XTCProbability, 0, 1}, {"XTCThreshold", s.XTCThreshold, 0, 1},
		{"Mirostat", float64(s.Mirostat), 0, 2}, {"MirostatTau", s.MirostatTau, 0, any}, {"MirostatEta", s.MirostatEta, 0, any},
		{"RepeatPenalty", s.RepeatPenalty, 0, any}, {"RepeatLast", float64(s.RepeatLast), -1, any},
		{"FrequencyPenalty", s.FrequencyPenalty, -any, any}, {"PresencePenalty", s.PresencePenalty, -any, any},
		{"DRYMultiplier", s.DRYMultiplier, 0, any}, {"DRYBase", s.DRYBase, 0, any}, {"DRYAllowed", float64(s.DRYAllowed), 0, any},
		{"DRYLast", float64(s.DRYLast), -1, any}, {"NoRepeat", float64(s.NoRepeat), 0, any},
		{"LeastTokens", float64(s.LeastTokens), 0, any}, {"LeastLength", float64(s.LeastLength), 0, any},
	} {
		switch {
		case n.value >= n.least && n.value <= n.most:
		case n.most == any && n.least == -n.most:
			return fmt.Errorf("%s is %g, want a number", n.name, n.value)
		case n.most == any:
			return fmt.Errorf("%s is %g, want at least %g", n.name, n.value, n.least)
		default:
			return fmt.Errorf("%s is %g, want %g to %g", n.name, n.value, n.least, n.most)
		}
	}
	if s.DRYBase != 0 && s.DRYBase < 1 {
		return fmt.Errorf("DRYBase is %g, want at least 1, or 0 for 1.75", s.DRYBase)
	}
	if slices.Contains(s.DRYBreakers, "") {
		return fmt.Errorf("DRYBreakers has an empty text")
	}
	return s.checkTokens(vocabulary)
}

// checkTokens names the first token that the model does not have.
func (s *Sampling) checkTokens(vocabulary int) error {
	bias := func(name string, token int, v float64) error {
		switch {
		case token < 0 || token >= vocabulary:
			return fmt.Errorf("%s has the token %d; there are %d", name, token, vocabulary)
		case math.IsNaN(v) || v > math.MaxFloat32 || v < -math.MaxFloat32 && !math.IsInf(v, -1):
			return fmt.Errorf("%s of token %d is %g, want a number, or -Inf for a token that never comes", name, token, v)
		}
		return nil
	}
	for token, v := range s.Bias {
		if err := bias("option Bias", token, v); err != nil {
			return err
		}
	}
	for i, q := range s.Sequences {
		if len(q.Tokens) == 0 {
			return fmt.Errorf("sequence %d of Sequences has no token", i)
		}
		for _, t := range q.Tokens {
			if err := bias(fmt.Sprintf("sequence %d of Sequences", i), t, q.Bias); err != nil {
				return err
			}
		}
	}
	for name, list := range map[string][]int{"NotFirst": s.NotFirst, "LastTokens": s.LastTokens} {
		for _, t := range list {
			if err := bias(name, t, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// sampler chooses tokens for one sequence.
type sampler struct {
	Sampling
	chance *rand.Rand
	list   []candidate
	known  bool        // the list is what TopP leaves
	counts map[int]int // of tokens that were there

	weights  []float32 // of all tokens
	breakers breakers  // of DRY
	surprise float64   // in bits, which Mirostat bounds
}

func newSampler(s Sampling) *sampler {
	seed := s.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &sampler{Sampling: s, chance: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), surprise: 2 * orElse(s.MirostatTau, 5)}
}

// orElse is a number, or another one in the place of zero.
func orElse[T int | float64](v, other T) T {
	if v == 0 {
		return other
	}
	return v
}

// choose returns a token by its scores, which it changes; -1 if no token may come. seen are the tokens before it.
func (s *sampler) choose(l logits, seen []int) int {
	if s.Mirostat == 0 {
		s.penalise(l, seen)
		s.dry(l, seen)
	}
	switch {
	case l.none():
		return -1
	case s.Temperature <= 0:
		return l.best()
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
	s.heat()
	return s.pick().token
}

// pick leaves the choice among the candidates to chance.
func (s *sampler) pick() candidate {
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
func (s *sampler) draw(l logits) int {
	most, sum := float64(l.scores[l.best()]), 0.0
	s.weights = append(s.weights[:0], l.scores...)
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
	return l.best()
}

// selects reports whether some part needs a list of candidates.
func (s *sampler) selects() bool {
	return s.TopK > 0 || s.TopNSigma > 0 || s.typicals() || s.nuclear() || s.MinP > 0 || s.XTCProbability > 0 || s.TemperatureRange > 0
}
