package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/pypeer"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm"
)

func init() {
	register(command{"bench-llm", "time a language model, beside llama.cpp where that is installed", benchLLM})
}

// languageBench is what bench-llm measures.
type languageBench struct {
	prompt, new, rounds, clients int
	device                       device.Device
	first, prefill               []float64 // seconds, tokens a second
	decode                       []float64 // tokens a second
	beside, allocated            []float64 // of a token: seconds between its program and the one before, bytes
	alone, together              []float64 // tokens a second of answers, with their prompts: of one client, and of all at once
	aloneUsed, togetherUsed      []float64 // tokens a second of processor time
}

func benchLLM(args []string) error {
	var o languageFlags
	b := languageBench{}
	f := newFlags("bench-llm", "MODEL [-p TOKENS] [-n TOKENS] [flags]")
	o.flags(f)
	o.draftFlags(f)
	f.IntVar(&b.prompt, "p", 128, "`tokens` of the prompt")
	f.IntVar(&b.new, "n", 32, "`tokens` of the answer")
	f.IntVar(&b.rounds, "rounds", 3, "how `many` times each is measured; medians are printed, and the best of bandwidths")
	f.IntVar(&b.clients, "clients", 1, "how `many` clients ask at once, each with a prompt of its own, after one has asked alone")
	var p profiling
	p.flags(f)
	asJSON := f.Bool("json", false, "print JSON")
	peer := f.Bool("llama", true, "measure llama-bench as well, if it is on the path and the model is a GGUF file")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if b.prompt < 1 || b.new < 2 || b.rounds < 1 || b.clients < 1 {
		return commandline.Errorf("a prompt of %d tokens, an answer of %d, %d rounds, %d clients: want at least 1, 2, 1 and 1", b.prompt, b.new, b.rounds, b.clients)
	}
	o.how.Sequences, o.how.CacheTokens = b.clients, llm.EachContext
	if o.how.Context == 0 {
		o.how.Context = b.prompt + b.new + 1
	}
	defer p.start()()
	start := time.Now()
	m, err := o.load(path)
	if err != nil {
		return err
	}
	defer m.Close()
	loaded := time.Since(start)
	b.device = o.how.Device
	var peers []llamaTimes
	program := ""
	if *peer && strings.HasSuffix(path, ".gguf") {
		program, _ = exec.LookPath("llama-bench")
	}
	cold := time.Duration(0)
	for round := range b.rounds + 1 { // the first one compiles
		first, err := b.round(m, round)
		if err == nil && b.clients > 1 {
			err = b.all(m, round)
		}
		if err != nil {
			return err
		}
		if round == 0 {
			cold = loaded + first
			b.first, b.prefill, b.decode, b.alone, b.together, b.beside, b.allocated = nil, nil, nil, nil, nil, nil, nil
			b.aloneUsed, b.togetherUsed = nil, nil
			continue
		}
		if program != "" { // in turn, so that both see the same machine
			t, err := llamaBench(program, path, b.prompt, b.new)
			if err != nil {
				return err
			}
			peers = append(peers, t)
		}
	}
	figures, err := b.figures(m, path, cold, peers)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(figures)
	}
	figures.print()
	return nil
}

// answer is the time up to an answer's first token, and the whole time, and the bytes that each later token allocates.
type answer struct {
	first, whole time.Duration
	allocated    float64
}

func allocated() uint64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.TotalAlloc
}

// gaps are the times between the programs that a device runs, in seconds.
type gaps struct {
	mu   sync.Mutex
	last time.Time
	list []float64
}

// ran notes a run that has just ended.
func (g *gaps) ran(r lazy.Run) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if !g.last.IsZero() {
		g.list = append(g.list, (now.Sub(g.last) - r.Took).Seconds())
	}
	g.last = now
}

// ask has one answer to a prompt that no other number has.
func (b *languageBench) ask(m *llm.Model, number int) (a answer, err error) {
	prompt := chanceTokens(b.prompt, number, m.Tokenizer().Size())
	start, n := time.Now(), 0
	before := uint64(0)
	for _, err := range m.GenerateTokens(context.Background(), prompt, llm.Options{MaxTokens: b.new, IgnoreEnd: true}) {
		if err != nil {
			return a, err
		}
		if n++; n == 1 {
			a.first = time.Since(start)
			before = allocated()
		}
	}
	a.whole = time.Since(start)
	a.allocated = float64(allocated()-before) / float64(n-1)
	return a, nil
}

// round measures one answer.
func (b *languageBench) round(m *llm.Model, round int) (first time.Duration, err error) {
	var between gaps
	stop, used := lazy.For(b.device).OnRun(between.ran), cputime.Used()
	a, err := b.ask(m, round*(b.clients+1))
	stop()
	if err != nil {
		return 0, err
	}
	b.first = append(b.first, a.first.Seconds())
	b.prefill = append(b.prefill, float64(b.prompt)/a.first.Seconds())
	b.decode = append(b.decode, float64(b.new-1)/(a.whole-a.first).Seconds())
	b.alone = append(b.alone, float64(b.new)/a.whole.Seconds())
	b.aloneUsed = append(b.aloneUsed, float64(b.new)/(cputime.Used()-used).Seconds())
	between.mu.Lock()
	defer between.mu.Unlock()
	b.beside, b.allocated = append(b.beside, medianOf(between.list)), append(b.allocated, a.allocated)
	return a.first, nil
}

// all measures the answers of all clients at once.
func (b *languageBench) all(m *llm.Model, round int) error {
	start, used := time.Now(), cputime.Used()
	errs := make([]error, b.clients)
	var wait sync.WaitGroup
	for i := range b.clients {
		wait.Go(func() { _, errs[i] = b.ask(m, round*(b.clients+1)+1+i) })
	}
	wait.Wait()
	b.together = append(b.together, float64(b.clients*b.new)/time.Since(start).Seconds())
	b.togetherUsed = append(b.togetherUsed, float64(b.clients*b.new)/(cputime.Used()-used).Seconds())
	return errors.Join(errs...)
}

// chanceTokens are so many tokens of a vocabulary, others for each number.
func chanceTokens(count, number, vocabulary int) []int {
	list, chance := make([]int, count), rand.New(rand.NewPCG(uint64(number), 0))
	for i := range list {
		list[i] = chance.IntN(vocabulary)
	}
	return list
}

// median of some numbers.
func medianOf(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	if n := len(list); n%2 == 0 {
		return (list[n/2-1] + list[n/2]) / 2
	}
	return list[len(list)/2]
}

// llamaTimes are tokens a second of llama.cpp.
type llamaTimes struct{ prefill, decode float64 }

// llamaBench runs llama-bench with as many threads: once for the prompt, and once for the answer behind so many tokens.
func llamaBench(program, path string, prompt, new int) (t llamaTimes, err error) {
	run := func(args ...string) (llamaTimes, error) {
		cmd := exec.Command(program, append(args, "-m", path, "-r", "1", "-t", strconv.Itoa(bandwidth.Threads()), "-o", "csv")...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return t, fmt.Errorf("llama-bench: %w: %s", err, pypeer.LastLine(stderr.String()))
		}
		return readLlamaBench(string(out))
	}
	if t, err = run("-p", strconv.Itoa(prompt), "-n", "0"); err != nil {
		return t, err
	}
	answer, err := run("-p", "0", "-n", strconv.Itoa(new), "-d", strconv.Itoa(prompt))
	t.decode = answer.decode
	return t, err
}

// readLlamaBench reads its table.
func readLlamaBench(text string) (t llamaTimes, err error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		return t, fmt.Errorf("llama-bench wrote no table: %w", err)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	speed, answer := column("avg_ts"), column("n_gen")
	if speed < 0 || answer < 0 {
		return t, fmt.Errorf("llama-bench has no columns avg_ts and n_gen")
	}
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(r[speed], 64)
		if err != nil {
			return t, fmt.Errorf("llama-bench: %w", err)
		}
		if r[answer] == "0" {
			t.prefill = v
		} else {
			t.decode = v
		}
	}
	return t, nil
}
