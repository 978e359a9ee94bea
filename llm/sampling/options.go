package sampling

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Options say how a token is chosen from the scores of the vocabulary. Its parts work in this order: bias, NotFirst,
// LeastTokens, LeastLength, NoRepeat and LastTokens, grammar, penalties, DRY, TopNSigma, TopK, Typical, TopP, MinP,
// XTC, Infill, Temperature, and then chance. With Mirostat they are those up to the grammar, Temperature and Mirostat.
// The zero value takes the most likely token.
type Options struct {
	Temperature         float64 `json:"temperature,omitempty"`       // scores are divided by it; 0 takes the most likely token
	TemperatureRange    float64 `json:"dynatemp_range,omitempty"`    // the temperature is so much less where the model is sure, and so much more where it is not
	TemperatureExponent float64 `json:"dynatemp_exponent,omitempty"` // of the share of the largest entropy that says how sure; 0 for 1

	TopK      int     `json:"top_k,omitempty"`       // how many of the most likely tokens; 0 or less for all
	TopP      float64 `json:"top_p,omitempty"`       // the most likely tokens that together have this probability; 0 or 1 for all
	MinP      float64 `json:"min_p,omitempty"`       // tokens that are at least so likely in proportion to the most likely one
	Typical   float64 `json:"typical_p,omitempty"`   // tokens whose surprise is nearest to the expected one, up to this probability; 0 or 1 for all
	TopNSigma float64 `json:"top_n_sigma,omitempty"` // standard deviations below the best score within which tokens remain; 0 for all

	XTCProbability float64 `json:"xtc_probability,omitempty"` // how often the most likely tokens are left out
	XTCThreshold   float64 `json:"xtc_threshold,omitempty"`   // all but the last one that are at least so likely

	Infill bool `json:"infill,omitempty"` // tokens fill in a text, as those of llama.cpp's sampler infill

	Mirostat    int     `json:"mirostat,omitempty"`     // 1 or 2 keeps the surprise of answers near MirostatTau by that version of Mirostat; 0 for none
	MirostatTau float64 `json:"mirostat_tau,omitempty"` // in bits; 0 for 5
	MirostatEta float64 `json:"mirostat_eta,omitempty"` // how fast Mirostat learns; 0 for 0.1

	RepeatPenalty    float64 `json:"repeat_penalty,omitempty"`    // divides the scores of tokens that were there, multiplies negative ones; 0 or 1 for none
	FrequencyPenalty float64 `json:"frequency_penalty,omitempty"` // is subtracted for each time that a token was there
	PresencePenalty  float64 `json:"presence_penalty,omitempty"`  // is subtracted from tokens that were there
	RepeatLast       int     `json:"repeat_last_n,omitempty"`     // how many of the last tokens penalties look at; 0 for 64, -1 for all

	DRY

	NoRepeat    int             `json:"no_repeat_ngram_size,omitempty"`  // length of the runs of tokens that do not come a second time; 0 for any
	Bias        map[int]float64 `json:"logit_bias,omitempty"`            // is added to scores of tokens
	Sequences   []SequenceBias  `json:"sequence_bias,omitempty"`         // are added to scores of tokens behind others
	NotFirst    []int           `json:"begin_suppress_tokens,omitempty"` // tokens that an answer does not begin with
	LeastTokens int             `json:"min_tokens,omitempty"`            // tokens of an answer before the model may end it
	LeastLength int             `json:"min_length,omitempty"`            // the same of a prompt and its answer together
	LastTokens  []int           `json:"forced_eos_token_id,omitempty"`   // one of these is the last token of an answer of as many tokens as there may be

	Seed uint64 `json:"seed,omitempty"` // of chance; 0 takes another one each time
}

// Check names the first number that says nothing to a model with a vocabulary of the given size. The error names this
// number and what it may be.
func (o *Options) Check(vocabulary int) error {
	const any = math.MaxFloat64
	for _, n := range []struct {
		name        string
		value       float64
		least, most float64
	}{
		{"Temperature", o.Temperature, 0, any}, {"TopP", o.TopP, 0, 1}, {"MinP", o.MinP, 0, 1},
		{"TemperatureRange", o.TemperatureRange, 0, any}, {"TemperatureExponent", o.TemperatureExponent, 0, any},
		{"Typical", o.Typical, 0, 1}, {"TopNSigma", o.TopNSigma, 0, any},
		{"XTCProbability", o.XTCProbability, 0, 1}, {"XTCThreshold", o.XTCThreshold, 0, 1},
		{"Mirostat", float64(o.Mirostat), 0, 2}, {"MirostatTau", o.MirostatTau, 0, any}, {"MirostatEta", o.MirostatEta, 0, any},
		{"RepeatPenalty", o.RepeatPenalty, 0, any}, {"RepeatLast", float64(o.RepeatLast), -1, any},
		{"FrequencyPenalty", o.FrequencyPenalty, -any, any}, {"PresencePenalty", o.PresencePenalty, -any, any},
		{"DRYMultiplier", o.DRYMultiplier, 0, any}, {"DRYBase", o.DRYBase, 0, any}, {"DRYAllowed", float64(o.DRYAllowed), 0, any},
		{"DRYLast", float64(o.DRYLast), -1, any}, {"NoRepeat", float64(o.NoRepeat), 0, any},
		{"LeastTokens", float64(o.LeastTokens), 0, any}, {"LeastLength", float64(o.LeastLength), 0, any},
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
	if o.DRYBase != 0 && o.DRYBase < 1 {
		return fmt.Errorf("DRYBase is %g, want at least 1, or 0 for 1.75", o.DRYBase)
	}
	if slices.Contains(o.DRYBreakers, "") {
		return fmt.Errorf("DRYBreakers has an empty text")
	}
	return o.checkTokens(vocabulary)
}

// checkTokens names the first token that the model does not have.
func (o *Options) checkTokens(vocabulary int) error {
	bias := func(name string, token int, v float64) error {
		switch {
		case token < 0 || token >= vocabulary:
			return fmt.Errorf("%s has the token %d; there are %d", name, token, vocabulary)
		case math.IsNaN(v) || v > math.MaxFloat32 || v < -math.MaxFloat32 && !math.IsInf(v, -1):
			return fmt.Errorf("%s of token %d is %g, want a number, or -Inf for a token that never comes", name, token, v)
		}
		return nil
	}
	for _, token := range slices.Sorted(maps.Keys(o.Bias)) {
		if err := bias("option Bias", token, o.Bias[token]); err != nil {
			return err
		}
	}
	for i, q := range o.Sequences {
		if len(q.Tokens) == 0 {
			return fmt.Errorf("sequence %d of Sequences has no token", i)
		}
		for _, t := range q.Tokens {
			if err := bias(fmt.Sprintf("sequence %d of Sequences", i), t, q.Bias); err != nil {
				return err
			}
		}
	}
	for _, t := range o.NotFirst {
		if err := bias("NotFirst", t, 0); err != nil {
			return err
		}
	}
	for _, t := range o.LastTokens {
		if err := bias("LastTokens", t, 0); err != nil {
			return err
		}
	}
	return nil
}

// orElse is a number, or another one in the place of zero.
func orElse[T int | float64](v, other T) T {
	if v == 0 {
		return other
	}
	return v
}
