package serve

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/text/tokenizer"
)

// sampling is the fields of requests that say how tokens are chosen.
type sampling struct {
	Model            string      `json:"model"`
	MaxTokens        *int        `json:"max_tokens"`
	Temperature      *float64    `json:"temperature"`
	TopP             *float64    `json:"top_p"`
	TopK             *int        `json:"top_k"`
	MinP             *float64    `json:"min_p"`
	Typical          *float64    `json:"typical_p"`
	TopNSigma        *float64    `json:"top_n_sigma"`
	XTCProbability   *float64    `json:"xtc_probability"`
	XTCThreshold     *float64    `json:"xtc_threshold"`
	RepeatPenalty    *float64    `json:"repeat_penalty"`
	RepeatLast       *int        `json:"repeat_last_n"`
	Heats            *float64    `json:"dynatemp_range"`
	Exponent         *float64    `json:"dynatemp_exponent"`
	Mirostat         *int        `json:"mirostat"`
	Tau              *float64    `json:"mirostat_tau"`
	Eta              *float64    `json:"mirostat_eta"`
	Dry              *float64    `json:"dry_multiplier"`
	DryBase          *float64    `json:"dry_base"`
	DryAllowed       *int        `json:"dry_allowed_length"`
	DryLast          *int        `json:"dry_penalty_last_n"`
	Breakers         []string    `json:"dry_sequence_breakers"`
	NoRepeat         *int        `json:"no_repeat_ngram_size"`
	LeastTokens      *int        `json:"min_tokens"`
	FrequencyPenalty float64     `json:"frequency_penalty"`
	PresencePenalty  float64     `json:"presence_penalty"`
	Seed             *int64      `json:"seed"`
	Stop             texts       `json:"stop"`
	N                *int        `json:"n"`
	LogitBias        tokenBiases `json:"logit_bias"`
	Stream           bool        `json:"stream"`
	StreamOptions    struct {
		Usage   bool `json:"include_usage"`
		Padding bool `json:"include_obfuscation"`
	} `json:"stream_options"`
	Format  *format         `json:"response_format"`
	Grammar string          `json:"grammar"`
	Schema  json.RawMessage `json:"json_schema"`
	Ignore  bool            `json:"ignore_eos"`
	Scales  []adapterScale  `json:"lora"`

	// Names of llama.cpp's.
	Predict   *int     `json:"n_predict"` // of MaxTokens; 0 has the prompt read, for a later one, and one token
	Samplers  []string `json:"samplers"`
	Keep      int      `json:"n_keep"`
	KeepLeast int      `json:"min_keep"`
	Count     *int     `json:"n_cmpl"` // of N
	Timings   bool     `json:"timings_per_token"`
	Progress  bool     `json:"return_progress"`
	Verbose   bool     `json:"verbose"`

	idle
	limit string // the parameter that has MaxTokens; "" for max_tokens
}

// tokenBiases are what is added to the logits of tokens, by their numbers: an object, or llama.cpp's list of pairs,
// whose false stands for a token that never comes.
type tokenBiases map[string]float64

// UnmarshalJSON reads either.
func (b *tokenBiases) UnmarshalJSON(data []byte) error {
	var pairs [][2]json.RawMessage
	if json.Unmarshal(data, &pairs) != nil {
		return json.Unmarshal(data, (*map[string]float64)(b))
	}
	*b = tokenBiases{}
	for _, pair := range pairs {
		value := math.Inf(-1)
		if string(pair[1]) != "false" {
			if err := json.Unmarshal(pair[1], &value); err != nil {
				return err
			}
		}
		(*b)[string(pair[0])] = value // a text is refused, which is the number of no token
	}
	return nil
}

// idle are parameters of OpenAI's interface that change no answer here: they name users and requests, or help to be
// fast.
type idle struct {
	User      any  `json:"user"`
	Safety    any  `json:"safety_identifier"`
	Metadata  any  `json:"metadata"`
	Tier      any  `json:"service_tier"`
	CacheKey  any  `json:"prompt_cache_key"`
	CacheTime any  `json:"prompt_cache_retention"`
	Cache     any  `json:"cache_prompt"` // of llama.cpp
	Slot      any  `json:"id_slot"`      // likewise: prompts share what begins alike, wherever it is
	Guess     any  `json:"prediction"`
	Store     bool `json:"store"`
}

// defaults are the options of an answer whose request says nothing.
func (s *Server) defaults() llm.Options {
	o := s.model.Defaults()
	if s.options.MaxTokens > 0 {
		o.MaxTokens = s.options.MaxTokens
	}
	if o.Temperature == 0 {
		o.Temperature = 1
	}
	return o
}

// answerOptions makes the options of an answer.
func (s *Server) answerOptions(q *sampling) (llm.Options, error) {
	o := s.defaults()
	if err := s.serves(q.Model); err != nil {
		return o, err
	}
	if err := s.model.Answers(); err != nil {
		return o, bad("model", "%v", err)
	}
	if q.Store {
		return o, bad("store", "store is true; nothing is kept")
	}
	if err := cmp.Or(s.scaled(q.Scales), q.native()); err != nil {
		return o, err
	}
	if q.StreamOptions.Padding {
		return o, bad("stream_options", "include_obfuscation is true; events are not filled up")
	}
	for _, set := range []func(*llm.Options) error{q.ends, q.draws, q.penalties, q.repetitions} {
		if err := set(&o); err != nil {
			return o, err
		}
	}
	if err := cmp.Or(only(&o, q.Samplers), q.restrict(&o, s.model.Tokenizer())); err != nil {
		return o, err
	}
	return o, q.biases(&o, s.model.Vocabulary)
}

// native reads what llama.cpp has other names for, and refuses what is not done of it.
func (q *sampling) native() error {
	if n := q.Predict; n != nil {
		switch {
		case q.MaxTokens != nil && *q.MaxTokens != *n:
			return bad("max_tokens", "max_tokens is %d and n_predict, another name of the same, %d: leave one of them out", *q.MaxTokens, *n)
		case *n < -1:
			return bad("n_predict", "n_predict is %d, want at least 0, or -1 for as many as there is room for", *n)
		case *n == 0:
			*n = 1
		}
		q.MaxTokens, q.limit = n, "n_predict"
	}
	switch {
	case q.Progress:
		return bad("return_progress", "return_progress is true; a stream begins with the first token, and says nothing while the prompt is read")
	case q.Verbose:
		return bad("verbose", "verbose is true; answers have no __verbose: /completion has the prompt, the tokens and the settings")
	case q.Keep > 0:
		return bad("n_keep", "n_keep is %d; a context that is full ends the answer, and nothing is left out of the context", q.Keep)
	case q.KeepLeast > 1:
		return bad("min_keep", "min_keep is %d; samplers keep at least 1 token", q.KeepLeast)
	}
	if q.MaxTokens != nil && *q.MaxTokens == -1 { // as many as there is room for
		q.MaxTokens = nil
	}
	return nil
}

// within sets an option to the value v of a request, if v is neither less than from nor more than most. A nil v leaves
// the option.
func within[T int | float64](name string, v, to *T, from, most T) error {
	switch {
	case v == nil:
	case !(*v >= from && *v <= most):
		return bad(name, "%s is %v, want %v to %v", name, *v, from, most)
	default:
		*to = *v
	}
	return nil
}

// ends reads where an answer ends.
func (q *sampling) ends(o *llm.Options) error {
	o.Shorter, o.IgnoreEnd = q.MaxTokens == nil, q.Ignore
	if q.MaxTokens != nil {
		if o.MaxTokens = *q.MaxTokens; o.MaxTokens < 1 {
			return bad(q.limited(), "%s is %d, want at least 1", q.limited(), o.MaxTokens)
		}
	}
	if q.Stop != nil {
		o.Stop = q.Stop
	}
	if len(q.Stop) > 16 || slices.Contains(q.Stop, "") {
		return bad("stop", "stop wants at most 16 texts, none of them empty")
	}
	return within("min_tokens", q.LeastTokens, &o.LeastTokens, 0, math.MaxInt32)
}

// limited is the parameter that bounds an answer.
func (q *sampling) limited() string { return cmp.Or(q.limit, "max_tokens") }

// draws reads how a token is drawn.
func (q *sampling) draws(o *llm.Options) error {
	if err := cmp.Or(
		within("temperature", q.Temperature, &o.Temperature, 0, 100),
		within("dynatemp_range", q.Heats, &o.TemperatureRange, 0, 100),
		within("dynatemp_exponent", q.Exponent, &o.TemperatureExponent, 0.01, 100),
		within("top_p", q.TopP, &o.TopP, 0, 1),
		within("min_p", q.MinP, &o.MinP, 0, 1),
		within("typical_p", q.Typical, &o.Typical, 0, 1),
		within("top_n_sigma", q.TopNSigma, &o.TopNSigma, -1, 100),
		within("xtc_probability", q.XTCProbability, &o.XTCProbability, 0, 1),
		within("xtc_threshold", q.XTCThreshold, &o.XTCThreshold, 0, 1),
		within("mirostat", q.Mirostat, &o.Mirostat, 0, 2),
		within("mirostat_tau", q.Tau, &o.MirostatTau, 0.01, 100),
		within("mirostat_eta", q.Eta, &o.MirostatEta, 0.0001, 100),
	); err != nil {
		return err
	}
	for asked, share := range map[*float64]*float64{q.TopP: &o.TopP, q.Typical: &o.Typical} {
		if asked != nil && *asked == 0 { // which leaves one token
			*share = math.SmallestNonzeroFloat64
		}
	}
	o.TopNSigma = max(o.TopNSigma, 0) // clients of llama.cpp ask for none by -1
	if q.TopK != nil {
		o.TopK = *q.TopK
	}
	if q.Seed != nil {
		o.Seed = uint64(*q.Seed) + 1 // zero is a seed like others
	}
	return nil
}

// penalties reads how much less likely a token becomes that was seen.
func (q *sampling) penalties(o *llm.Options) error {
	if err := cmp.Or(
		within("repeat_penalty", q.RepeatPenalty, &o.RepeatPenalty, 0, 100),
		within("frequency_penalty", &q.FrequencyPenalty, &o.FrequencyPenalty, -100, 100),
		within("presence_penalty", &q.PresencePenalty, &o.PresencePenalty, -100, 100),
	); err != nil {
		return err
	}
	if q.RepeatLast != nil {
		switch o.RepeatLast = *q.RepeatLast; {
		case o.RepeatLast < -1:
			return bad("repeat_last_n", "repeat_last_n is %d, want at least 0, or -1 for all", o.RepeatLast)
		case o.RepeatLast == 0: // penalties look at no token
			o.RepeatPenalty, o.FrequencyPenalty, o.PresencePenalty = 0, 0, 0
		}
	}
	return nil
}

// repetitions reads how much less likely a token becomes that repeats a sequence of tokens.
func (q *sampling) repetitions(o *llm.Options) error {
	if err := cmp.Or(
		within("dry_multiplier", q.Dry, &o.DRYMultiplier, 0, 100),
		within("dry_base", q.DryBase, &o.DRYBase, 1, 100),
		within("dry_allowed_length", q.DryAllowed, &o.DRYAllowed, 1, math.MaxInt32),
		within("dry_penalty_last_n", q.DryLast, &o.DRYLast, -1, math.MaxInt32),
		within("no_repeat_ngram_size", q.NoRepeat, &o.NoRepeat, 0, math.MaxInt32),
	); err != nil {
		return err
	}
	if q.DryLast != nil && *q.DryLast == 0 { // DRY looks at no token
		o.DRYMultiplier = 0
	}
	if q.Breakers != nil {
		if o.DRYBreakers = q.Breakers; slices.Contains(q.Breakers, "") {
			return bad("dry_sequence_breakers", "dry_sequence_breakers has an empty text")
		}
	}
	return nil
}

// biases reads what is added to the logits of tokens.
func (q *sampling) biases(o *llm.Options, vocabulary int) error {
	for _, key := range slices.Sorted(maps.Keys(q.LogitBias)) {
		token, err := strconv.Atoi(key)
		if err != nil || token < 0 {
			return bad("logit_bias", "logit_bias has the key %q, want the number of a token", key)
		}
		if token >= vocabulary {
			return bad("logit_bias", "logit_bias has the token %d; there are %d", token, vocabulary)
		}
		if o.Bias == nil {
			o.Bias = map[int]float64{}
		}
		o.Bias[token] = q.LogitBias[key]
	}
	return nil
}

// restrict reads what an answer may be. vocabulary has the tokens that a grammar names.
func (q *sampling) restrict(o *llm.Options, vocabulary *tokenizer.Tokenizer) (err error) {
	schema, param := q.Schema, "json_schema"
	switch f := q.Format; {
	case f == nil, f.Type == "text":
	case f.Type == "json_object" && len(f.Schema) == 0:
		o.Grammar = grammar.JSON(true)
	case f.Type == "json_object", f.Type == "json_schema":
		param = "response_format"
		if schema = f.Named.Schema; len(schema) == 0 {
			schema = f.Schema
		}
		if len(schema) == 0 {
			return bad(param, "response_format has no schema")
		}
	default:
		return bad("response_format", "response_format has the type %q; there are text, json_object and json_schema", f.Type)
	}
	if len(schema) > 0 {
		if o.Grammar, err = grammar.Schema(schema); err != nil {
			return bad(param, "%v", err)
		}
	}
	if q.Grammar != "" {
		if o.Grammar != nil {
			return bad("grammar", "both a grammar and a schema say what the answer is")
		}
		if o.Grammar, err = grammar.ParseTokens(q.Grammar, vocabulary); err != nil {
			return bad("grammar", "%v", err)
		}
	}
	return nil
}

// mostAnswers bounds the answers to a prompt.
const mostAnswers = 16

// answers is how many answers are wanted.
func (q *sampling) answers() (int, error) {
	n := 1
	if q.N != nil {
		n = *q.N
	} else if q.Count != nil {
		n = *q.Count
	}
	if q.Count != nil && n != *q.Count {
		return 0, bad("n", "n is %d and n_cmpl, another name of the same, %d: leave one of them out", n, *q.Count)
	}
	if n < 1 || n > mostAnswers {
		return 0, bad("n", "n is %d, want 1 to %d", n, mostAnswers)
	}
	return n, nil
}
