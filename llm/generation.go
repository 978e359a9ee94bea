package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/config"
)

const generationFile = "generation_config.json"

// refusedKeys are keys of generation_config.json that ask for what is not done, with the values that ask for nothing. A
// key that is null asks for nothing either.
var refusedKeys = map[string][]string{
	"num_beams": {"1"}, "num_beam_groups": {"1"}, "diversity_penalty": {"0"}, "constraints": nil, "force_words_ids": nil, "penalty_alpha": {"0"},
	"epsilon_cutoff": {"0", "1"}, "eta_cutoff": {"0", "1"}, "top_h": {"1"}, "exponential_decay_length_penalty": nil, "forced_bos_token_id": nil,
	"guidance_scale": {"1"}, "encoder_repetition_penalty": {"1"}, "encoder_no_repeat_ngram_size": {"0"}, "watermarking_config": nil,
	"dola_layers": nil, "token_healing": {"false"},
}

// idleKeys change no token of an answer here: the tokenizer says which tokens begin and fill texts, the caller says how
// many answers there are and how long they take, and the other keys choose among beams, which are refused, or say how
// transformers computes, guesses tokens and returns results.
var idleKeys = []string{"_commit_hash", "_from_model_config", "transformers_version", "bos_token_id", "pad_token_id", "decoder_start_token_id", "max_length",
	"max_time", "num_return_sequences", "length_penalty", "early_stopping", "low_memory", "renormalize_logits", "remove_invalid_values", "use_cache",
	"cache_implementation", "cache_config", "compile_config", "disable_compile", "continuous_batching_config", "prefill_chunk_size", "output_attentions",
	"output_hidden_states", "output_logits", "output_scores", "return_dict_in_generate", "is_assistant", "assistant_confidence_threshold",
	"assistant_early_exit", "assistant_lookbehind", "target_lookbehind", "num_assistant_tokens", "num_assistant_tokens_schedule",
	"prompt_lookup_num_tokens", "max_matching_ngram_size"}

// oneOrMore is a value or a list of values.
type oneOrMore[T any] []T

// UnmarshalJSON reads either.
func (l *oneOrMore[T]) UnmarshalJSON(data []byte) error {
	var one T
	if json.Unmarshal(data, &one) == nil {
		*l = oneOrMore[T]{one}
		return nil
	}
	return json.Unmarshal(data, (*[]T)(l))
}

// generation is the content of generation_config.json.
type generation struct {
	samples                  bool
	sampling                 Sampling // if it samples
	repeat                   float64
	noRepeat, tokens, length int
	most                     int
	words                    [][]int
	biases                   [][2]json.RawMessage
	none, first              []int
	forced                   oneOrMore[int]
	stops                    oneOrMore[string]
}

// followed are the keys that say how tokens are chosen, where their values go, and what values are wanted.
func (g *generation) followed() map[string]struct {
	to     any
	wanted string
} {
	type key = struct {
		to     any
		wanted string
	}
	const number, whole, tokens = "a number", "a whole number", "a list of tokens"
	s := &g.sampling
	return map[string]key{
		"do_sample": {&g.samples, "a truth value"}, "temperature": {&s.Temperature, number}, "top_k": {&s.TopK, whole}, "top_p": {&s.TopP, number},
		"min_p": {&s.MinP, number}, "typical_p": {&s.Typical, number}, "repetition_penalty": {&g.repeat, number},
		"no_repeat_ngram_size": {&g.noRepeat, whole}, "min_new_tokens": {&g.tokens, whole}, "min_length": {&g.length, whole},
		"max_new_tokens": {&g.most, whole}, "bad_words_ids": {&g.words, "a list of lists of tokens"},
		"sequence_bias": {&g.biases, "a list of pairs, each of a list of tokens and a number,"}, "suppress_tokens": {&g.none, tokens},
		"begin_suppress_tokens": {&g.first, tokens}, "forced_eos_token_id": {&g.forced, "a token or a list of tokens"},
		"stop_strings": {&g.stops, "a string or a list of strings"},
	}
}

// generationOptions returns the options that generation_config.json recommends for a model with a vocabulary of the
// given size; the tokens ends end an answer. A model that does not sample takes the most likely token. A key that
// transformers does not know says nothing there either.
func generationOptions(c config.Object, vocabulary int, ends []int) (o Options, err error) {
	g := generation{sampling: Sampling{Temperature: 1, TopK: 50}}
	followed := g.followed()
	for _, k := range slices.Sorted(maps.Keys(c)) {
		raw := c.Value(k)
		if config.TypeOf(raw) == "null" {
			continue
		}
		if f, ok := followed[k]; ok && !c.Get(f.to, k) {
			return o, fmt.Errorf("%s: %s is %.40s, %s; %s is wanted", generationFile, k, raw, config.WithArticle(config.TypeOf(raw)), f.wanted)
		}
		if neutral, ok := refusedKeys[k]; ok && !slices.ContainsFunc(neutral, func(v string) bool { return sameValue(string(raw), v) }) {
			return o, fmt.Errorf("%s: %s is %.40s, which is not done; the file must have %s", generationFile, k, raw,
				strings.Join(append([]string{"no such key"}, neutral...), ", or "))
		}
	}
	if g.samples {
		o.Sampling = g.sampling
	}
	o.RepeatPenalty, o.RepeatLast = g.repeat, -1 // transformers looks at all tokens
	o.NoRepeat, o.LeastTokens, o.LeastLength, o.MaxTokens = g.noRepeat, g.tokens, g.length, g.most
	o.NotFirst, o.LastTokens, o.Stop = g.first, g.forced, g.stops
	if o.Sequences, err = g.sequences(ends); err == nil {
		err = o.check(vocabulary)
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w", generationFile, err)
	}
	return o, nil
}

// sameValue reports whether two values are one number, or one text.
func sameValue(a, b string) bool {
	var x, y float64
	if json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil {
		return x == y
	}
	return a == b
}

// sequences are tokens that are likelier behind others, or never come. As in transformers, a token that ends answers is
// no bad word.
func (g *generation) sequences(ends []int) (list []SequenceBias, err error) {
	never := math.Inf(-1)
	for _, t := range g.none {
		list = append(list, SequenceBias{Tokens: []int{t}, Bias: never})
	}
	for _, w := range g.words {
		if len(w) != 1 || !slices.Contains(ends, w[0]) {
			list = append(list, SequenceBias{Tokens: w, Bias: never})
		}
	}
	for i, pair := range g.biases {
		var b SequenceBias
		if json.Unmarshal(pair[0], &b.Tokens) != nil || json.Unmarshal(pair[1], &b.Bias) != nil {
			return nil, fmt.Errorf("pair %d of sequence_bias is %.40s; a list of tokens and a number are wanted", i, pair)
		}
		list = append(list, b)
	}
	return list, nil
}
