package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/traffic"
	"github.com/go-acap/acap/llm/traffic/trafficplot"
)

// trafficFlags are those of plan -serve.
type trafficFlags struct {
	on                               bool
	arrivals, draft                  string
	rate, accepted                   float64
	requests, prompt, answer, shared int
	context, parallel, cache, arrays int
	guesses                          int
	seed                             uint64
	setting                          machine.Setting
}

// servingFlags and trainingFlags are those that only one of the two plans takes.
var (
	servingFlags  = strings.Fields("arrivals rate requests prompt answer shared context parallel cache arrays draft draft-tokens accepted seed mode dispatch bf16")
	trainingFlags = strings.Fields("input latency bandwidth node node-latency node-bandwidth ranks bucket gradients backward forward")
)

func (o *trafficFlags) flags(f *flag.FlagSet) {
	f.BoolVar(&o.on, "serve", false, "tell how long clients of a language model wait that is served on the machine")
	f.StringVar(&o.arrivals, "arrivals", "", "with -serve: a CSV `file` of requests, with the columns arrival, prompt and answer (default: -rate)")
	f.Float64Var(&o.rate, "rate", 1, "with -serve: `requests` a second, which come independently of each other")
	f.IntVar(&o.requests, "requests", 200, "with -serve: how `many` requests come")
	f.IntVar(&o.prompt, "prompt", 512, "with -serve: `tokens` of a prompt")
	f.IntVar(&o.answer, "answer", 128, "with -serve: `tokens` of an answer")
	f.IntVar(&o.shared, "shared", 0, "with -serve: `tokens` at the beginning that all prompts have in common")
	f.IntVar(&o.context, "context", 0, "with -serve: most `tokens` of a sequence; 0 for 4096, or fewer if the model was made for fewer")
	f.IntVar(&o.parallel, "parallel", 4, "with -serve: how `many` sequences an array computes at once")
	f.IntVar(&o.cache, "cache", 0, "with -serve: `tokens` that the cache of an array has room for; 0 for the context of each sequence")
	f.IntVar(&o.arrays, "arrays", 1, "with -serve: how `many` arrays have the model, each with a cache and memory of its own")
	f.StringVar(&o.draft, "draft", "", "with -serve: a smaller `model`, which guesses tokens of a sequence alone")
	f.IntVar(&o.guesses, "draft-tokens", 4, "with -serve: `tokens` that the draft guesses at once")
	f.Float64Var(&o.accepted, "accepted", 0.7, "with -serve: the `share` of guesses that are right")
	f.Uint64Var(&o.seed, "seed", 1, "with -serve: the `number` that chance begins with")
	o.setting.Register(f)
}

// apart refuses flags of the other plan.
func (o *trafficFlags) apart(f *flag.FlagSet) (err error) {
	f.Visit(func(g *flag.Flag) {
		switch {
		case err != nil:
		case o.on && slices.Contains(trainingFlags, g.Name):
			err = fmt.Errorf("-%s is of a step of training, and not of -serve", g.Name)
		case !o.on && slices.Contains(servingFlags, g.Name):
			err = fmt.Errorf("-%s is of -serve, which is not given", g.Name)
		}
	})
	return err
}

func (o *trafficFlags) check() error {
	switch {
	case !(o.rate > 0 && o.rate <= 1e9):
		return fmt.Errorf("-rate is %g, want more than 0", o.rate)
	case o.requests < 1 || o.requests > 1<<20:
		return fmt.Errorf("-requests is %d, want 1 to %d", o.requests, 1<<20)
	case o.prompt < 1 || o.answer < 1 || o.shared < 0 || o.shared > o.prompt:
		return fmt.Errorf("-prompt is %d, -answer %d and -shared %d, want at least 1, 1, and 0 to -prompt", o.prompt, o.answer, o.shared)
	case o.context < 0 || o.parallel < 1 || o.parallel > 1<<10 || o.cache < 0 || o.arrays < 1 || o.arrays > 1<<10:
		return fmt.Errorf("-context is %d, -parallel %d, -cache %d and -arrays %d, want at least 0, 1, 0 and 1, and at most %d sequences and arrays",
			o.context, o.parallel, o.cache, o.arrays, 1<<10)
	case o.guesses < 1 || !(o.accepted >= 0 && o.accepted <= 1):
		return fmt.Errorf("-draft-tokens is %d and -accepted %g, want at least 1, and 0 to 1", o.guesses, o.accepted)
	}
	return nil
}

// load returns the requests.
func (o *trafficFlags) load() ([]llm.Request, error) {
	if o.arrivals == "" {
		list := traffic.Poisson(o.rate, o.requests, o.seed, o.prompt, o.answer)
		for i := range list {
			list[i].Shared = o.shared
		}
		return list, nil
	}
	file, err := os.Open(o.arrivals)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := traffic.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.arrivals, err)
	}
	return list, nil
}

func (o *trafficFlags) run(model, name, plot string, asJSON bool) error {
	if err := o.check(); err != nil {
		return err
	}
	m, err := machine.Load(name)
	if err == nil {
		m, err = o.setting.Of(m)
	}
	if err != nil {
		return err
	}
	outline, err := llm.Inspect(model)
	if err != nil {
		return err
	}
	requests, err := o.load()
	if err != nil {
		return err
	}
	s := llm.Simulation{Context: o.context, CacheTokens: o.cache, Sequences: o.parallel, Copies: o.arrays, Seed: o.seed}
	if s.Context == 0 {
		s.Context = min(4096, outline.Context)
	}
	if s.CacheTokens == 0 {
		s.CacheTokens = llm.EachContext
	}
	if s, err = traffic.Server(outline, m, s); err != nil {
		return err
	}
	if o.draft != "" {
		draft, err := llm.Inspect(o.draft)
		if err != nil {
			return err
		}
		s = traffic.Guessing(s, draft, m, o.guesses, o.accepted)
	}
	passes, cost := 0, s.Cost
	stop := heartbeat("plan", func() string { return fmt.Sprintf("mapping kernels, %d passes told", passes) })
	defer stop()
	s.Cost = func(p llm.Pass, all bool) (float64, float64, error) {
		passes++
		return cost(p, all)
	}
	t, err := s.Simulate(context.Background(), requests)
	if err != nil {
		return err
	}
	stop()
	if plot != "" {
		if err := trafficplot.Plot(t, model+" on "+m.Name, plot); err != nil {
			return err
		}
	}
	summary := traffic.Summarize(t)
	if asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": model, "machine": m.Name, "arrays": o.arrays, "parallel": o.parallel, "summary": summary})
	}
	fmt.Fprintf(stdout, "%s on %d x %s, up to %d sequences of %d tokens each\n\n%v", model, o.arrays, m.Name, o.parallel, s.Context, summary)
	for i := range t.Served {
		if why := t.Served[i].Refused; why != "" {
			fmt.Fprintf(stdout, "the first request that was refused: %s\n", why)
			break
		}
	}
	return nil
}
