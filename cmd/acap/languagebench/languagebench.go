package languagebench

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/base/peakmemory"
	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm"
)

// Options say what is measured. Prompts and answers are counted in tokens.
type Options struct {
	Prompt, Answer int
	Rounds         int  // how often each is measured
	Clients        int  // how many ask at once, after one has asked alone
	Llama          bool // measure llama-bench, if it is on the path and the model is a GGUF file
}

// Model is a language model that was loaded from a file or folder.
type Model struct {
	*llm.Model
	Path   string
	Device device.Device
	Loaded time.Duration // how long it took
}

// rounds are what the rounds measured, one number each.
type rounds struct {
	first, prefill, decode    []float64 // seconds up to the first token; tokens a second
	beside, allocated         []float64 // of a token: seconds between its program and the one before, bytes
	alone, together           []float64 // tokens a second of answers, with their prompts: of one client, and of all at once
	aloneUsed, togetherUsed   []float64 // tokens a second of processor time
	llamaPrefill, llamaDecode []float64 // tokens a second of llama.cpp
}

// bench is a model and what was measured of it.
type bench struct {
	Model
	Options
	rounds
}

// Measure runs a round that compiles, and then the rounds to measure. Rounds of llama.cpp come between them, so that
// both see the same machine.
func Measure(m Model, o Options) (*Figures, error) {
	b := &bench{Model: m, Options: o}
	program := ""
	if o.Llama && strings.HasSuffix(m.Path, ".gguf") {
		program, _ = exec.LookPath("llama-bench")
	}
	cold := time.Duration(0)
	for round := range o.Rounds + 1 { // the first one compiles
		first, err := b.round(round)
		if err == nil && o.Clients > 1 {
			err = b.all(round)
		}
		if err != nil {
			return nil, err
		}
		if round == 0 {
			cold = m.Loaded + first
			b.rounds = rounds{}
			continue
		}
		if program != "" {
			t, err := llamaBench(program, m.Path, o.Prompt, o.Answer)
			if err != nil {
				return nil, err
			}
			b.llamaPrefill, b.llamaDecode = append(b.llamaPrefill, t.Prefill), append(b.llamaDecode, t.Decode)
		}
	}
	return b.figures(cold)
}

// figures are the medians of what was measured. The peak of memory is read in front of what measures the bandwidth.
func (b *bench) figures(cold time.Duration) (*Figures, error) {
	f := &Figures{Model: b.Path, Architecture: b.Architecture, WeightBytes: b.WeightBytes(), Threads: bandwidth.Threads(),
		Prompt: b.Prompt, Answer: b.Answer, Prefill: median.Of(b.prefill), Decode: median.Of(b.decode), FirstToken: median.Of(b.first),
		ColdStart: cold.Seconds(), Beside: median.Of(b.beside), Allocated: median.Of(b.allocated)}
	f.PeakMemory, _ = peakmemory.Bytes()
	f.WeightsRead = f.Decode * float64(f.WeightBytes)
	f.CacheRead = f.Decode * float64(b.CacheBytes(b.Prompt+b.Answer/2))
	if b.Clients > 1 {
		f.Clients = &Clients{Count: b.Clients, Alone: median.Of(b.alone), Together: median.Of(b.together),
			Times: median.Of(b.together) / median.Of(b.alone), ProcessorTimes: median.Of(b.togetherUsed) / median.Of(b.aloneUsed)}
	}
	if len(b.llamaDecode) > 0 {
		f.Llama = &Llama{Prefill: median.Of(b.llamaPrefill), Decode: median.Of(b.llamaDecode)}
	}
	return f, b.shares(f)
}

// shares asks once more in each round, measures the bandwidth directly behind the answer, and keeps the median share of
// the bandwidth that answers had. On a machine whose memory others read too, the bandwidth differs from second to
// second.
func (b *bench) shares(f *Figures) error {
	var ofMemory, ofFile []float64
	memory := bandwidth.NewMemory()
	for round := range b.Rounds {
		a, err := b.ask(round * (b.Clients + 1)) // whose prompt may be in the cache
		if err != nil {
			return err
		}
		file, err := bandwidth.File(b.Path, 1)
		if err != nil {
			return err
		}
		found := memory.Read(1)
		read := a.rate(b.Answer) * float64(f.WeightBytes)
		if ofMemory = append(ofMemory, read/found.PerSecond); file.PerSecond > 0 {
			ofFile = append(ofFile, read/file.PerSecond)
		}
		f.FileBandwidth = max(f.FileBandwidth, file.PerSecond)
		if found.PerSecond > f.ReadBandwidth {
			f.ReadBandwidth, f.Streams, f.read = found.PerSecond, found.Streams, found.Bytes
		}
	}
	if f.ReadShare = median.Of(ofMemory); len(ofFile) > 0 {
		f.FileShare = median.Of(ofFile)
	}
	return nil
}

// answer is the time up to an answer's first token, and the whole time, and the bytes that each later token allocates.
type answer struct {
	first, whole time.Duration
	allocated    float64
}

// rate is the tokens a second of an answer of a length, behind the first one.
func (a *answer) rate(tokens int) float64 { return float64(tokens-1) / (a.whole - a.first).Seconds() }

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
func (b *bench) ask(number int) (a answer, err error) {
	prompt := RandomTokens(b.Prompt, number, b.Tokenizer().Size())
	start, n := time.Now(), 0
	before := uint64(0)
	for _, err := range b.GenerateTokens(context.Background(), prompt, llm.Options{MaxTokens: b.Answer, IgnoreEnd: true}) {
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
func (b *bench) round(round int) (first time.Duration, err error) {
	var between gaps
	stop, used := lazy.For(b.Device).OnRun(between.ran), cputime.Used()
	a, err := b.ask(round * (b.Clients + 1))
	stop()
	if err != nil {
		return 0, err
	}
	b.first = append(b.first, a.first.Seconds())
	b.prefill = append(b.prefill, float64(b.Prompt)/a.first.Seconds())
	b.decode = append(b.decode, a.rate(b.Answer))
	b.alone = append(b.alone, float64(b.Answer)/a.whole.Seconds())
	b.aloneUsed = append(b.aloneUsed, float64(b.Answer)/(cputime.Used()-used).Seconds())
	between.mu.Lock()
	defer between.mu.Unlock()
	b.beside, b.allocated = append(b.beside, median.Of(between.list)), append(b.allocated, a.allocated)
	return a.first, nil
}

// all measures the answers of all clients at once.
func (b *bench) all(round int) error {
	start, used := time.Now(), cputime.Used()
	errs := make([]error, b.Clients)
	var wait sync.WaitGroup
	for i := range b.Clients {
		wait.Go(func() { _, errs[i] = b.ask(round*(b.Clients+1) + 1 + i) })
	}
	wait.Wait()
	b.together = append(b.together, float64(b.Clients*b.Answer)/time.Since(start).Seconds())
	b.togetherUsed = append(b.togetherUsed, float64(b.Clients*b.Answer)/(cputime.Used()-used).Seconds())
	return errors.Join(errs...)
}

// RandomTokens returns count tokens of a vocabulary, drawn at random. Another number gives other tokens.
func RandomTokens(count, number, vocabulary int) []int {
	list, random := make([]int, count), rand.New(rand.NewPCG(uint64(number), 0))
	for i := range list {
		list[i] = random.IntN(vocabulary)
	}
	return list
}
