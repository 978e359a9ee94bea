package commandline

import (
	"flag"
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/text/tokenizer"
)

// Answer is the flags that say how an answer is generated.
type Answer struct {
	llm.Options
	stops           List
	schema, grammar string
}

// Flags adds the flags to a set. tokens is the default of -n.
func (o *Answer) Flags(f *flag.FlagSet, tokens int) {
	f.IntVar(&o.MaxTokens, "n", tokens, "most `tokens` to generate; 0 for as many as the context and the cache have room for")
	f.Float64Var(&o.Temperature, "temp", 0, "the `number` that scores are divided by; 0 takes the most likely token")
	f.IntVar(&o.TopK, "top-k", 40, "how `many` of the most likely tokens to choose among; 0 for all")
	f.Float64Var(&o.TopP, "top-p", 0.95, "choose among the most likely tokens that have this `share` of the probability; 0 takes one, 1 all")
	f.Float64Var(&o.MinP, "min-p", 0.05, "choose among tokens at least so likely, as a `share` of the most likely one")
	f.Float64Var(&o.RepeatPenalty, "repeat-penalty", 1, "the `number` that scores of tokens that were there are divided by")
	f.Float64Var(&o.FrequencyPenalty, "frequency-penalty", 0, "the `number` taken from scores for each time that a token was there")
	f.Float64Var(&o.PresencePenalty, "presence-penalty", 0, "the `number` taken from scores of tokens that were there")
	f.Uint64Var(&o.Seed, "seed", 0, "the `number` that chance begins with; 0 for another one each time")
	f.Var(&o.stops, "stop", "a `text`; the answer ends in front of it; repeat for more")
	f.StringVar(&o.grammar, "grammar", "", "a `file` of rules in GBNF that the answer obeys")
	f.StringVar(&o.schema, "schema", "", "a `file` with the JSON schema of the answer")
}

// Check refuses flags that do not go together, and values that mean nothing.
func (o *Answer) Check() error {
	if o.grammar != "" && o.schema != "" {
		return Errorf("-grammar and -schema both restrict the answer: give one of them")
	}
	if o.MaxTokens < 0 {
		return Errorf("-n is %d, want at least 0", o.MaxTokens)
	}
	return Wrong(o.Sampling.Check(math.MaxInt))
}

// Read reads the file that says what an answer may be. vocabulary has the tokens that rules name.
func (o *Answer) Read(vocabulary *tokenizer.Tokenizer) (err error) {
	switch {
	case o.grammar != "":
		o.Grammar, err = readGrammar("grammar", o.grammar, func(data []byte) (*grammar.Grammar, error) { return grammar.ParseTokens(string(data), vocabulary) })
	case o.schema != "":
		o.Grammar, err = readGrammar("schema", o.schema, grammar.Schema)
	}
	return err
}

// Over returns the options that a model recommends, changed by the flags of the command line. A number that the model
// says nothing about is the default of its flag. followed are the flags whose numbers the model recommends.
func (o *Answer) Over(recommended llm.Options, f *flag.FlagSet) (options llm.Options, followed []string) {
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

// readGrammar reads the file of a flag. llama.cpp's flags take the text of rules and of a schema: a text in the place
// of the file is an error that says so.
func readGrammar(flag, path string, parse func([]byte) (*grammar.Grammar, error)) (*grammar.Grammar, error) {
	data, err := inputfile.Read(path)
	switch {
	case err != nil && (strings.Contains(path, "::=") || strings.HasPrefix(strings.TrimSpace(path), "{")):
		return nil, Errorf("-%s takes a file, and %q is a text: write the text to a file and give the name of the file", flag, path)
	case err != nil:
		return nil, fmt.Errorf("-%s: %w", flag, err)
	}
	g, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
