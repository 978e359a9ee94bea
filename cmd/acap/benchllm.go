package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/languagebench"
	"github.com/go-acap/acap/llm"
)

func init() {
	register(command{"bench-llm", "time a language model, beside llama.cpp where that is installed", benchLLM})
}

func benchLLM(args []string) error {
	var o commandline.Language
	var b languagebench.Options
	f := newFlags("bench-llm", "MODEL [-p TOKENS] [-n TOKENS] [flags]")
	o.Flags(f)
	o.DraftFlags(f)
	f.IntVar(&b.Prompt, "p", 128, "`tokens` of the prompt")
	f.IntVar(&b.Answer, "n", 32, "`tokens` of the answer")
	f.IntVar(&b.Rounds, "rounds", 3, "how `many` times each is measured; medians are printed, and the best of bandwidths")
	f.IntVar(&b.Clients, "clients", 1, "how `many` clients ask at once, each with a prompt of its own, after one has asked alone")
	var p profiling
	p.flags(f)
	asJSON := f.Bool("json", false, "print JSON")
	f.BoolVar(&b.Llama, "llama", true, "measure llama-bench as well, if it is on the path and the model is a GGUF file")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if b.Prompt < 1 || b.Answer < 2 || b.Rounds < 1 || b.Clients < 1 {
		return commandline.Errorf("a prompt of %d tokens, an answer of %d, %d rounds, %d clients: want at least 1, 2, 1 and 1", b.Prompt, b.Answer, b.Rounds, b.Clients)
	}
	o.Options.Sequences, o.Options.CacheTokens = b.Clients, llm.EachContext
	if o.Options.Context == 0 {
		o.Options.Context = b.Prompt + b.Answer + 1
	}
	stop, err := p.start()
	if err != nil {
		return err
	}
	defer stop()
	start := time.Now()
	m, err := o.Load(path)
	if err != nil {
		return err
	}
	defer m.Close()
	figures, err := languagebench.Measure(languagebench.Model{Model: m, Path: path, Device: o.Options.Device, Loaded: time.Since(start)}, b)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(figures)
	}
	fmt.Fprint(stdout, figures)
	return nil
}
