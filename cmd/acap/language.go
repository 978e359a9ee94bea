package main

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/text/tokenizer"
)

// languageFlags are the flags of commands that run a language model.
type languageFlags struct {
	deviceFlags
	how   llm.LoadOptions
	cache string
}

func (o *languageFlags) flags(f *flag.FlagSet) {
	o.deviceFlags.Flags(f)
	f.IntVar(&o.how.Context, "context", 0, "most `tokens` of a sequence; 0 for 4096, or fewer if the model was made for fewer")
	f.BoolVar(&o.how.Exact, "exact", false, "multiply by packed weights in f32, and round nothing to 8 bits")
	cacheFlag(f, &o.cache)
	f.Func("lora", "a `file` or folder of a LoRA adapter; repeat for more", func(path string) error {
		o.adapt(path, 1)
		return nil
	})
	f.Func("lora-scaled", "LoRA `adapters` with what the product of each is multiplied by: a.gguf:0.5,b.gguf:2; repeat for more", o.adaptScaled)
}

// draftFlags are for commands that generate: probabilities alone have no draft.
func (o *languageFlags) draftFlags(f *flag.FlagSet) {
	f.StringVar(&o.how.Draft, "draft", "", "a smaller `model` with the same vocabulary, which guesses tokens")
	f.IntVar(&o.how.DraftTokens, "draft-tokens", 4, "`tokens` that the draft guesses at once")
}

// adapt adds an adapter.
func (o *languageFlags) adapt(path string, scale float64) {
	o.how.Adapters, o.how.AdapterScales = append(o.how.Adapters, path), append(o.how.AdapterScales, scale)
}

// adaptScaled adds adapters as llama.cpp writes them with their scales.
func (o *languageFlags) adaptScaled(value string) error {
	for part := range strings.SplitSeq(value, ",") {
		at := strings.LastIndexByte(part, ':')
		scale, err := strconv.ParseFloat(part[at+1:], 64)
		if at <= 0 || err != nil {
			return fmt.Errorf("%q is no adapter with its scale, such as adapter.gguf:0.5", part)
		}
		o.adapt(part[:at], scale)
	}
	return nil
}

func (o *languageFlags) load(path string) (*llm.Model, error) {
	switch {
	case o.how.Context < 0:
		return nil, commandline.Errorf("-context is %d, want at least 1, or 0 for as many as usual", o.how.Context)
	case o.IsGiven("draft-tokens") && o.how.Draft == "":
		return nil, commandline.Errorf("-draft-tokens is for -draft, which is not given")
	case o.how.Draft != "" && o.how.DraftTokens < 1:
		return nil, commandline.Errorf("-draft-tokens is %d, want at least 1", o.how.DraftTokens)
	}
	dev, err := o.Open()
	if err != nil {
		return nil, err
	}
	o.how.Device = dev
	if o.how.CacheType, o.how.CacheFormat, err = cacheType(o.cache); err != nil {
		return nil, err
	}
	return llm.Load(path, o.how)
}

func cacheFlag(f *flag.FlagSet, name *string) {
	f.StringVar(name, "cache-type", "", "keep keys and values in this `type`: f32, f16, bf16 or q8_0; without it f16, and f32 with -exact")
}

// cacheType is the type or the format of blocks that -cache-type names; without a name the zero values, for which [llm.Load] chooses.
func cacheType(name string) (dtype.DType, dtype.Format, error) {
	switch name {
	case "":
		return dtype.Invalid, dtype.Plain, nil
	case dtype.Q8_0.String():
		return dtype.Invalid, dtype.Q8_0, nil
	}
	for _, d := range []dtype.DType{dtype.F32, dtype.F16, dtype.BF16} {
		if name == d.String() {
			return d, dtype.Plain, nil
		}
	}
	return dtype.Invalid, dtype.Plain, commandline.Errorf("-cache-type is %q, want f32, f16, bf16 or q8_0", name)
}

// answerFlags say how an answer is generated.
type answerFlags struct {
	llm.Options
	stops           list
	schema, grammar string
}

func (o *answerFlags) flags(f *flag.FlagSet, tokens int) {
	f.IntVar(&o.MaxTokens, "n", tokens, "most `tokens` to generate; 0 for as many as the context and the cache have room for")
	f.Float64Var(&o.Temperature, "temp", 0, "the `number` that scores are divided by; 0 takes the most likely token")
	f.IntVar(&o.TopK, "top-k", 40, "choose among so `many` of the most likely tokens; 0 for all")
	f.Float64Var(&o.TopP, "top-p", 0.95, "choose among the most likely tokens that have this `share` of the probability; 0 takes one, 1 all")
	f.Float64Var(&o.MinP, "min-p", 0.05, "choose among tokens at least so likely, as a `share` of the most likely one")
	f.Float64Var(&o.RepeatPenalty, "repeat-penalty", 1, "the `number` that scores of tokens that were there are divided by")
	f.Float64Var(&o.FrequencyPenalty, "frequency-penalty", 0, "the `number` taken from scores for each time that a token was there")
	f.Float64Var(&o.PresencePenalty, "presence-penalty", 0, "the `number` taken from scores of tokens that were there")
	f.Uint64Var(&o.Seed, "seed", 0, "the `number` that chance begins with; 0 for another one each time")
	f.Var(&o.stops, "stop", "a `text` in front of which the answer ends; repeat for more")
	f.StringVar(&o.grammar, "grammar", "", "a `file` of rules in GBNF that the answer obeys")
	f.StringVar(&o.schema, "schema", "", "a `file` with the JSON schema of the answer")
}

// read reads the file that says what an answer may be. vocabulary has the tokens that rules name.
func (o *answerFlags) read(vocabulary *tokenizer.Tokenizer) (err error) {
	switch {
	case o.grammar != "":
		o.Grammar, err = readGrammar("grammar", o.grammar, func(data []byte) (*grammar.Grammar, error) { return grammar.ParseTokens(string(data), vocabulary) })
	case o.schema != "":
		o.Grammar, err = readGrammar("schema", o.schema, grammar.Schema)
	}
	return err
}

// over returns the options that a model recommends, changed by the flags of the command line. A number that the model says nothing about is the default of
// its flag. followed are the flags whose numbers the model recommends.
func (o *answerFlags) over(recommended llm.Options, f *flag.FlagSet) (options llm.Options, followed []string) {
	said, own := map[string]bool{}, map[string]string{}
	f.Visit(func(l *flag.Flag) { said[l.Name] = true })
	f.VisitAll(func(l *flag.Flag) { own[l.Name] = l.Value.String() })
	recommended.Grammar = o.Grammar
	o.Options = recommended
	f.VisitAll(func(l *flag.Flag) {
		switch value := l.Value.String(); {
		case value == own[l.Name]:
		case said[l.Name] || value == "0":
			_ = l.Value.Set(own[l.Name]) // which it was before
		default:
			followed = append(followed, "-"+l.Name+" "+value)
		}
	})
	if o.stops != nil {
		o.Stop = o.stops
	}
	if o.TopP == 0 { // a share of zero leaves one token
		o.TopP = math.SmallestNonzeroFloat64
	}
	return o.Options, followed
}

// openLanguage reads the arguments of a command that generates, whose answers have so many tokens at most without -n, and loads its model.
func openLanguage(f *flag.FlagSet, args []string, tokens int) (*llm.Model, llm.Options, error) {
	var o languageFlags
	var a answerFlags
	o.flags(f)
	o.draftFlags(f)
	a.flags(f, tokens)
	path, err := parseOne(f, args)
	if err != nil {
		return nil, llm.Options{}, err
	}
	if a.grammar != "" && a.schema != "" {
		return nil, llm.Options{}, commandline.Errorf("-grammar and -schema both restrict the answer: give one of them")
	}
	if a.MaxTokens < 0 {
		return nil, llm.Options{}, commandline.Errorf("-n is %d, want at least 0", a.MaxTokens)
	}
	if err := a.Sampling.Check(math.MaxInt); err != nil {
		return nil, llm.Options{}, commandline.Wrong(err)
	}
	m, err := o.load(path)
	if err != nil {
		return nil, llm.Options{}, err
	}
	if err := a.read(m.Tokenizer()); err != nil {
		return nil, llm.Options{}, errors.Join(err, m.Close())
	}
	options, followed := a.over(m.Defaults(), f)
	if len(followed) > 0 {
		fmt.Fprintf(os.Stderr, "%s recommends %s\n", path, strings.Join(followed, " "))
	}
	return m, options, nil
}

// readGrammar reads the file of a flag. llama.cpp's flags take the text of rules and of a schema: a text in the place of the file is an error that says so.
func readGrammar(flag, path string, parse func([]byte) (*grammar.Grammar, error)) (*grammar.Grammar, error) {
	data, err := inputfile.Read(path)
	switch {
	case err != nil && (strings.Contains(path, "::=") || strings.HasPrefix(strings.TrimSpace(path), "{")):
		return nil, commandline.Errorf("-%s takes a file, and %q is a text: write the text to a file and give the name of the file", flag, path)
	case err != nil:
		return nil, fmt.Errorf("-%s: %w", flag, err)
	}
	g, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// show prints pieces as they come behind a prompt, which it prints with the first piece, and ends the line. Reasoning stands in
// brackets. It returns the text of the pieces.
func show(prompt string, pieces iter.Seq2[llm.Piece, error]) (text string, err error) {
	begun, thinks := false, false
	defer func() {
		if begun {
			fmt.Fprintln(stdout)
			err = errors.Join(err, stdout.err)
		}
	}()
	for p, err := range pieces {
		if err != nil {
			return text, err
		}
		if !begun {
			fmt.Fprint(stdout, prompt)
			begun = true
		}
		if p.Reasoning != "" && !thinks {
			thinks = true
			fmt.Fprint(stdout, "(")
		}
		fmt.Fprint(stdout, p.Reasoning)
		if thinks && (p.Text != "" || p.Finish != "") {
			thinks = false
			fmt.Fprintln(stdout, ")")
		}
		fmt.Fprint(stdout, p.Text)
		if stdout.err != nil {
			return text, nil
		}
		text += p.Text
	}
	return text, nil
}
