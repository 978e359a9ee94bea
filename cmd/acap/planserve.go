package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/traffic"
	"github.com/go-acap/acap/llm/traffic/trafficplot"
)

// trafficFlags are the flags of plan -serve.
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

// servingFlags and trainingFlags are the flags that only one of the two plans takes. drawnFlags are the flags for
// requests that are drawn at random.
var (
	servingFlags = strings.Fields("arrivals rate requests prompt answer shared context parallel cache arrays " +
		"draft draft-tokens accepted seed mode dispatch bf16")
	trainingFlags = strings.Fields("input latency bandwidth node node-latency node-bandwidth ranks bucket gradients backward forward")
	drawnFlags    = strings.Fields("rate requests prompt answer shared")
)

func (o *trafficFlags) flags(f *flag.FlagSet) {
	f.BoolVar(&o.on, "serve", false, "tell how long clients of a language model wait that is served on the machine")
	f.StringVar(&o.arrivals, "arrivals", "",
		"with -serve: a CSV `file` of requests, with the columns arrival, prompt and answer (default: -rate)")
	f.Float64Var(&o.rate, "rate", 1, "with -serve: `requests` a second, which come independently of each other")
	f.IntVar(&o.requests, "requests", 200, "with -serve: how `many` requests come")
	f.IntVar(&o.prompt, "prompt", 512, "with -serve: `tokens` of a prompt")
	f.IntVar(&o.answer, "answer", 128, "with -serve: `tokens` of an answer")
	f.IntVar(&o.shared, "shared", 0, "with -serve: `tokens` at the beginning that all prompts have in common")
	f.IntVar(&o.context, "context", 0, "with -serve: most `tokens` of a sequence; 0 for 4096, or fewer if the model was made for fewer")
	f.IntVar(&o.parallel, "parallel", 4, "with -serve: how `many` sequences an array computes at once")
	f.IntVar(&o.cache, "cache", 0, "with -serve: `tokens` that the cache of an array has room for, rounded up to pages of 32; 0 for the context of each sequence")
	f.IntVar(&o.arrays, "arrays", 1, "with -serve: how `many` arrays have the model, each with a cache of its own, and a memory of its own unless the machine says that they share one")
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
			err = commandline.Errorf("-%s is of a step of training, and not of -serve", g.Name)
		case !o.on && slices.Contains(servingFlags, g.Name):
			err = commandline.Errorf("-%s is of -serve, which is not given", g.Name)
		case o.arrivals != "" && slices.Contains(drawnFlags, g.Name):
			err = commandline.Errorf("-%s is of requests by chance, and -arrivals has requests: leave one of them out", g.Name)
		}
	})
	return err
}

func (o *trafficFlags) check() error {
	for _, n := range []struct {
		name               string
		value, least, most int
	}{
		{"requests", o.requests, 1, 1 << 20},
		{"prompt", o.prompt, 1, math.MaxInt},
		{"answer", o.answer, 1, math.MaxInt},
		{"shared", o.shared, 0, o.prompt},
		{"context", o.context, 0, math.MaxInt},
		{"parallel", o.parallel, 1, 1 << 10},
		{"cache", o.cache, 0, math.MaxInt},
		{"arrays", o.arrays, 1, 1 << 10},
		{"draft-tokens", o.guesses, 1, math.MaxInt},
	} {
		switch {
		case n.value < n.least && n.most == math.MaxInt:
			return commandline.Errorf("-%s is %d, want at least %d", n.name, n.value, n.least)
		case n.value < n.least || n.value > n.most:
			return commandline.Errorf("-%s is %d, want %d to %d", n.name, n.value, n.least, n.most)
		}
	}
	switch {
	case !(o.rate > 0 && o.rate <= 1e9):
		return commandline.Errorf("-rate is %g, want more than 0 and at most 1e9 requests a second", o.rate)
	case o.context == 1:
		return commandline.Errorf("-context is 1, want at least 2: a token of the prompt and one of the answer; or 0")
	case !(o.accepted >= 0 && o.accepted <= 1):
		return commandline.Errorf("-accepted is %g, want 0 to 1", o.accepted)
	}
	return nil
}

// load returns the requests: read from the file of -arrivals, or drawn at -rate.
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
	if err := commandline.CheckApart("-plot", plot, o.arrivals, model); err != nil {
		return err
	}
	m, err := o.machine(name)
	if err != nil {
		return err
	}
	s, err := o.simulation(model, m)
	if err != nil {
		return err
	}
	requests, err := o.load()
	if err != nil {
		return err
	}
	cost := s.Cost
	var passes atomic.Int64
	beat.follows(func() string { return fmt.Sprintf("mapping kernels, %d passes told", passes.Load()) })
	s.Cost = func(p llm.Pass, all bool) (float64, float64, error) {
		passes.Add(1)
		return cost(p, all)
	}
	t, err := s.Simulate(context.Background(), requests)
	if err != nil {
		return err
	}
	if plot != "" {
		if err := trafficplot.Plot(t, model+" on "+m.Name, plot); err != nil {
			return err
		}
	}
	summary := traffic.Summarize(t)
	if asJSON {
		err = json.NewEncoder(stdout).Encode(map[string]any{"model": model, "machine": m.Name,
			"arrays": o.arrays, "parallel": o.parallel, "summary": summary})
	} else {
		fmt.Fprintf(stdout, "%s on %d x %s, up to %d sequences of %d tokens each\n\n%v", model, o.arrays, m.Name, o.parallel, s.Context, summary)
	}
	switch {
	case err != nil:
		return err
	case summary.Refused == summary.Requests:
		return fmt.Errorf("every request was refused, the first one as follows: %s", summary.Refusal)
	case summary.Refusal != "" && !asJSON:
		fmt.Fprintf(stdout, "the first request that was refused: %s\n", summary.Refusal)
	}
	return nil
}

// machine returns the machine of an array, which shares its memory with the others.
func (o *trafficFlags) machine(name string) (*machine.Machine, error) {
	m, err := machine.Load(name)
	if err != nil {
		return nil, commandline.WrongName(name, err)
	}
	if m, err = m.Working(o.arrays); err != nil {
		return nil, commandline.Errorf("-arrays: %w", err)
	}
	if m, err = o.setting.Of(m); err != nil {
		return nil, err
	}
	return m.Shared(), nil
}

// simulation returns a server of a model on arrays, with its draft.
func (o *trafficFlags) simulation(model string, m *machine.Machine) (s llm.Simulation, err error) {
	outline, err := llm.Inspect(model)
	if err != nil {
		return s, err
	}
	s = llm.Simulation{Context: o.context, CacheTokens: o.cache, Sequences: o.parallel, Copies: o.arrays, Seed: o.seed}
	if s.Context == 0 {
		s.Context = min(4096, outline.Context)
	}
	if s.CacheTokens == 0 {
		s.CacheTokens = llm.EachContext
	}
	if s, err = traffic.Server(outline, m, s); err != nil || o.draft == "" {
		return s, err
	}
	draft, err := llm.Inspect(o.draft)
	if err != nil {
		return s, err
	}
	return traffic.Guessing(s, draft, m, o.guesses, o.accepted), nil
}
