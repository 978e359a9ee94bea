package llm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/tensor/gguf"
)

// samplingPrefix begins the names of what a GGUF file says of sampling.
const samplingPrefix = "general.sampling."

// partsInOrder are the parts of a sampling that the sequence of a GGUF file names, in the order in which they work,
// with what each of them is without.
var partsInOrder = []struct {
	names []string
	off   func(s *Sampling)
}{
	{[]string{"penalties"}, func(s *Sampling) { s.RepeatPenalty = 0 }},
	{[]string{"dry"}, func(*Sampling) {}},
	{[]string{"top_n_sigma"}, func(*Sampling) {}},
	{[]string{"top_k"}, func(s *Sampling) { s.TopK = 0 }},
	{[]string{"typ_p", "typical_p"}, func(*Sampling) {}},
	{[]string{"top_p"}, func(s *Sampling) { s.TopP = 0 }},
	{[]string{"min_p"}, func(s *Sampling) { s.MinP = 0 }},
	{[]string{"xtc"}, func(s *Sampling) { s.XTCProbability = 0 }},
	{[]string{"temperature"}, func(s *Sampling) { s.Temperature = 1 }},
}

// recommended has a file's options of sampling, checked for a vocabulary of the given size. A file that says nothing
// takes the most likely token.
func recommended(f *gguf.File, vocabulary int) (o Options, err error) {
	m, s := &config.Metadata{File: f, Prefix: samplingPrefix}, &o.Sampling
	numbers := map[string]any{"temp": &s.Temperature, "top_p": &s.TopP, "min_p": &s.MinP, "xtc_probability": &s.XTCProbability,
		"xtc_threshold": &s.XTCThreshold, "penalty_repeat": &s.RepeatPenalty, "penalty_last_n": nil, "top_k": nil, "mirostat": &s.Mirostat,
		"mirostat_tau": &s.MirostatTau, "mirostat_eta": &s.MirostatEta, "sequence": nil}
	for _, key := range slices.Sorted(maps.Keys(f.Metadata)) {
		name, ok := strings.CutPrefix(key, samplingPrefix)
		if !ok {
			continue
		}
		to, known := numbers[name]
		if _, isNumber := m.Number(name); !known || !isNumber && name != "sequence" {
			return o, fmt.Errorf("%s is %v, which is not known", key, f.Metadata[key])
		}
		m.Set(name, to)
	}
	if k, ok := m.Number("top_k"); ok {
		s.TopK = int(k)
	}
	if last, ok := m.Number("penalty_last_n"); ok {
		if s.RepeatLast = int(last); last == 0 { // penalties look at no token
			s.RepeatPenalty = 0
		}
	}
	for _, t := range f.Numbers("tokenizer.ggml.suppress_tokens") {
		s.Sequences = append(s.Sequences, SequenceBias{Tokens: []int{config.Whole(t)}, Bias: math.Inf(-1)})
	}
	if err = sequenceOf(f.Metadata[samplingPrefix+"sequence"], s); err == nil {
		err = o.check(vocabulary)
	}
	if err != nil {
		return o, fmt.Errorf("general.sampling: %w", err)
	}
	return o, nil
}

// sequenceOf leaves out the parts that a sequence, names between semicolons, does not have.
func sequenceOf(value any, s *Sampling) error {
	if value == nil {
		return nil
	}
	text, ok := value.(string)
	names := strings.Split(text, ";")
	for _, p := range partsInOrder {
		if len(names) > 0 && slices.Contains(p.names, names[0]) {
			names = names[1:]
		} else {
			p.off(s)
		}
	}
	if !ok || len(names) > 0 {
		return fmt.Errorf("sequence is %v; some of penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature are wanted, in this order", value)
	}
	return nil
}
