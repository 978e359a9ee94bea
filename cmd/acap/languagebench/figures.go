package main

import (
	"fmt"
	"time"

	"github.com/go-acap/acap/cmd/acap/bandwidth"
	"github.com/go-acap/acap/llm"
)

// languageFigures are what bench-llm prints. Speeds are tokens a second, times seconds; medians of the rounds.
type languageFigures struct {
	Model        string `json:"model"`
	Architecture string `json:"architecture"`
	WeightBytes  int64  `json:"weight_bytes"` // as they are held
	Threads      int    `json:"threads"`
	Prompt       int    `json:"prompt"` // tokens
	Answer       int    `json:"answer"` // tokens

	Prefill    float64    `json:"prefill_tokens_per_second"`
	Decode     float64    `json:"decode_tokens_per_second"`
	FirstToken float64    `json:"first_token_seconds"`
	ColdStart  float64    `json:"first_token_from_cold_start_seconds"`
	Beside     float64    `json:"token_beside_its_program_seconds"`
	Allocated  float64    `json:"token_allocates_bytes"`
	PeakMemory int64      `json:"peak_memory_bytes,omitempty"` // 0 where the system does not say
	Clients    *atOnce    `json:"clients,omitempty"`           // nil for one client
	Llama      *llamaPeer `json:"llama_cpp,omitempty"`         // nil where llama-bench did not run

	WeightsRead   float64 `json:"weights_read_bytes_per_second"`
	CacheRead     float64 `json:"keys_and_values_read_bytes_per_second"`
	ReadBandwidth float64 `json:"read_bandwidth_bytes_per_second"` // the most that as many threads read
	Streams       int     `json:"read_bandwidth_streams"`          // of each thread, with which it did; 0 by dot products
	FileBandwidth float64 `json:"file_bandwidth_bytes_per_second"` // the same of the mapped file of weights; 0 for none
	read          int     // bytes, for the read bandwidth
}

// atOnce are answers of several clients at once, with their prompts, in tokens a second.
type atOnce struct {
	Count          int     `json:"count"`
	Alone          float64 `json:"alone_tokens_per_second"` // one client
	Together       float64 `json:"together_tokens_per_second"`
	Times          float64 `json:"times"`           // together over alone
	ProcessorTimes float64 `json:"processor_times"` // the same of processor time
}

// llamaPeer is what llama.cpp reaches, in tokens a second.
type llamaPeer struct {
	Prefill float64 `json:"prefill_tokens_per_second"`
	Decode  float64 `json:"decode_tokens_per_second"`
}

// figures are the medians of what was measured. The peak of memory is read in front of what measures the bandwidth.
func (b *languageBench) figures(m *llm.Model, path string, cold time.Duration, peers []llamaTimes) (*languageFigures, error) {
	f := &languageFigures{Model: path, Architecture: m.Architecture, WeightBytes: m.WeightBytes(), Threads: bandwidth.Threads(),
		Prompt: b.prompt, Answer: b.new, Prefill: medianOf(b.prefill), Decode: medianOf(b.decode), FirstToken: medianOf(b.first),
		ColdStart: cold.Seconds(), Beside: medianOf(b.beside), Allocated: medianOf(b.allocated), PeakMemory: peakMemory()}
	file, err := bandwidth.File(path, b.rounds)
	if err != nil {
		return nil, err
	}
	memory := bandwidth.Memory(b.rounds)
	f.FileBandwidth, f.ReadBandwidth, f.Streams, f.read = file.PerSecond, memory.PerSecond, memory.Streams, memory.Bytes
	f.WeightsRead = f.Decode * float64(f.WeightBytes)
	f.CacheRead = f.Decode * float64(m.CacheBytes(b.prompt+b.new/2))
	if b.clients > 1 {
		f.Clients = &atOnce{Count: b.clients, Alone: medianOf(b.alone), Together: medianOf(b.together),
			Times: medianOf(b.together) / medianOf(b.alone), ProcessorTimes: medianOf(b.togetherUsed) / medianOf(b.aloneUsed)}
	}
	if len(peers) > 0 {
		var prefill, decode []float64
		for _, t := range peers {
			prefill, decode = append(prefill, t.prefill), append(decode, t.decode)
		}
		f.Llama = &llamaPeer{Prefill: medianOf(prefill), Decode: medianOf(decode)}
	}
	return f, nil
}

func (f *languageFigures) print() {
	fmt.Fprintf(stdout, "%s: %s, %d MB of weights as they are held\n", f.Model, f.Architecture, f.WeightBytes>>20)
	row := func(name string, format string, own, other float64) {
		if other != 0 {
			fmt.Fprintf(stdout, "%-34s "+format+"  llama.cpp "+format+"  ratio %.2f\n", name, own, other, own/other)
			return
		}
		fmt.Fprintf(stdout, "%-34s "+format+"\n", name, own)
	}
	var peer llamaPeer
	if f.Llama != nil {
		peer = *f.Llama
	}
	row(fmt.Sprintf("prompt of %d, tokens a second", f.Prompt), "%9.1f", f.Prefill, peer.Prefill)
	row(fmt.Sprintf("answer of %d, tokens a second", f.Answer), "%9.1f", f.Decode, peer.Decode)
	row("first token, ms", "%9.1f", 1e3*f.FirstToken, 0)
	row("first token from a cold start, ms", "%9.1f", 1e3*f.ColdStart, 0)
	if c := f.Clients; c != nil {
		row("one client, tokens a second", "%9.1f", c.Alone, 0)
		row(fmt.Sprintf("%d clients, tokens a second", c.Count), "%9.1f", c.Together, 0)
		row("times one client's", "%9.2f", c.Times, 0)
		row("the same of processor time", "%9.2f", c.ProcessorTimes, 0)
	}
	row("a token beside its program, ms", "%9.3f", 1e3*f.Beside, 0)
	row("a token allocates, KiB", "%9.1f", f.Allocated/1024, 0)
	if f.PeakMemory > 0 {
		row("most memory, MB", "%9.1f", float64(f.PeakMemory)/1e6, 0)
	}
	row("weights read, GB a second", "%9.2f", f.WeightsRead/1e9, 0)
	row("share of the read bandwidth", "%9.2f", f.WeightsRead/f.ReadBandwidth, 0)
	row("the same with keys and values", "%9.2f", (f.WeightsRead+f.CacheRead)/f.ReadBandwidth, 0)
	how := fmt.Sprintf("in %d streams each", f.Streams)
	if f.Streams == 0 {
		how = "by dot products"
	}
	fmt.Fprintf(stdout, "%-34s %9.2f (%d threads read %d MB %s)\n", "read bandwidth, GB a second", f.ReadBandwidth/1e9, f.Threads, f.read>>20, how)
	if f.FileBandwidth > 0 {
		row("share of the file's", "%9.2f", f.WeightsRead/f.FileBandwidth, 0)
		fmt.Fprintf(stdout, "%-34s %9.2f (the mapped weights, whose pages the system chooses)\n", "bandwidth of the file, GB a second", f.FileBandwidth/1e9)
	}
}
