package main

import (
	"fmt"
	"os/exec"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/divergence"
	"github.com/go-acap/acap/cmd/acap/languagebench"
	"github.com/go-acap/acap/llm"
)

func init() {
	register(command{"divergence", "compare a language model's probabilities with the probabilities of exact products, beside llama.cpp", runDivergence})
}

// divergenceBench has the settings of the command divergence.
type divergenceBench struct {
	commandline.Language
	rows, seeds int
	seed        int
	text        string
	llama       bool
}

func runDivergence(args []string) error {
	var b divergenceBench
	f := newFlags("divergence", "MODEL [-rows N] [-text FILE] [flags]")
	b.Flags(f)
	f.IntVar(&b.rows, "rows", 16, "how `many` prompts are compared, each 32 tokens longer than the one before it")
	f.IntVar(&b.seed, "seed", 0, "the `number` of the tokens by chance: another one chooses others")
	f.IntVar(&b.seeds, "seeds", 1, "how `many` seeds to compare the prompts of, from -seed on")
	f.StringVar(&b.text, "text", "", "a `file` whose text is the prompt; without it the prompt is tokens by chance")
	f.BoolVar(&b.llama, "llama", true, "compare llama-server as well, if it is on the path and the model is a GGUF file")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if err := b.check(); err != nil {
		return err
	}
	if b.Options.Context == 0 {
		b.Options.Context = divergence.Step*b.rows + 2
	}
	prompts, exact, err := b.exact(path)
	if err != nil {
		return err
	}
	m, err := b.Load(path)
	if err != nil {
		return err
	}
	whole := divergence.WholeToken(m.Tokenizer())
	fast, err := divergence.Compare(exact, prompts, func(tokens []int) ([]float64, error) { return divergence.Logprobs(m, tokens) })
	m.Close()
	if err != nil {
		return err
	}
	var peer *divergence.Rows
	if program, err := exec.LookPath("llama-server"); b.llama && err == nil && strings.HasSuffix(path, ".gguf") {
		server, err := divergence.StartServer(program, path, b.Options.Context)
		if err != nil {
			return err
		}
		peer, err = divergence.Compare(exact, prompts, func(tokens []int) ([]float64, error) { return server.Logprobs(tokens, whole, len(exact[0])) })
		server.Stop()
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s: mean of %d divergences from exact products\n", path, b.rows*b.seeds)
	return printDivergences(fast, peer)
}

// check refuses values that mean nothing.
func (b *divergenceBench) check() error {
	switch {
	case b.rows < 1:
		return commandline.Errorf("-rows is %d, want at least 1", b.rows)
	case b.seed < 0:
		return commandline.Errorf("-seed is %d, want at least 0", b.seed)
	case b.seeds < 1 || b.text != "" && b.seeds > 1:
		return commandline.Errorf("-seeds is %d, want at least 1, and 1 for a text", b.seeds)
	case b.Options.Exact && (b.Cache == "" || b.Cache == dtype.F32.String()):
		return commandline.Errorf("-exact compares exact products with themselves")
	}
	return nil
}

// printDivergences prints the means of divergences, beside those of llama.cpp unless that is nil.
func printDivergences(own, llama *divergence.Rows) error {
	row := func(name string, own, other []float64) {
		m, e := divergence.Mean(own)
		fmt.Fprintf(stdout, "%-34s %9.2e ±%3.0f%%", name, m, 100*e)
		if other != nil {
			n, e := divergence.Mean(other)
			fmt.Fprintf(stdout, "  llama.cpp %9.2e ±%3.0f%%  ratio %.3f ±%.3f", n, 100*e, m/n, divergence.RatioError(own, other))
		}
		fmt.Fprintln(stdout)
	}
	if llama == nil {
		llama = new(divergence.Rows)
	}
	row("behind a prompt", own.Prompt, llama.Prompt)
	row("behind a token more", own.Answer, llama.Answer)
	return stdout.err
}

// exact returns the longest prompts, and the exact rows: two a prompt.
func (b *divergenceBench) exact(path string) (prompts [][]int, rows [][]float64, err error) {
	how := b.Language
	how.Options.Exact, how.Cache = true, dtype.F32.String()
	m, err := how.Load(path)
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	if prompts, err = b.prompts(m); err != nil {
		return nil, nil, err
	}
	err = divergence.EachPrompt(prompts, func(tokens []int) error {
		row, err := divergence.Logprobs(m, tokens)
		rows = append(rows, row)
		return err
	})
	return prompts, rows, err
}

// prompts are the tokens that prompts are the beginnings of.
func (b *divergenceBench) prompts(m *llm.Model) (list [][]int, err error) {
	if b.text == "" {
		for i := range b.seeds {
			list = append(list, languagebench.RandomTokens(divergence.Longest(b.rows), b.seed+i, m.Tokenizer().Size()))
		}
		return list, nil
	}
	data, err := inputfile.ReadText(b.text)
	if err != nil {
		return nil, err
	}
	prompt, err := divergence.TextPrompt(m.Tokenizer(), string(data), b.rows)
	if err != nil {
		return nil, fmt.Errorf("%s %w", b.text, err)
	}
	return [][]int{prompt}, nil
}
