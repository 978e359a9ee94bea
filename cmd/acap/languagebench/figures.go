package languagebench

import (
	"fmt"
	"strings"
)

// Figures are what was measured of a language model. Speeds are tokens a second, times seconds; medians of the rounds.
type Figures struct {
	Model        string `json:"model"`
	Architecture string `json:"architecture"`
	WeightBytes  int64  `json:"weight_bytes"` // as they are held
	Threads      int    `json:"threads"`
	Prompt       int    `json:"prompt"` // tokens
	Answer       int    `json:"answer"` // tokens

	Prefill    float64  `json:"prefill_tokens_per_second"`
	Decode     float64  `json:"decode_tokens_per_second"`
	FirstToken float64  `json:"first_token_seconds"`
	ColdStart  float64  `json:"first_token_from_cold_start_seconds"`
	Beside     float64  `json:"token_beside_its_program_seconds"`
	Allocated  float64  `json:"token_allocates_bytes"`
	PeakMemory int64    `json:"peak_memory_bytes,omitempty"` // 0 where the system does not say
	Clients    *Clients `json:"clients,omitempty"`           // nil for one client
	Llama      *Llama   `json:"llama_cpp,omitempty"`         // nil where llama-bench did not run

	WeightsRead   float64 `json:"weights_read_bytes_per_second"`
	CacheRead     float64 `json:"keys_and_values_read_bytes_per_second"`
	ReadBandwidth float64 `json:"read_bandwidth_bytes_per_second"` // the most that as many threads read
	Streams       int     `json:"read_bandwidth_streams"`          // of each thread, with which it did; 0 by dot products
	FileBandwidth float64 `json:"file_bandwidth_bytes_per_second"` // the same of the mapped file of weights; 0 for none
	ReadShare     float64 `json:"share_of_read_bandwidth"`         // of the bandwidth behind an answer, with which weights are read; the median
	FileShare     float64 `json:"share_of_file_bandwidth"`
	read          int     // bytes, for the read bandwidth
}

// Clients are answers of several clients at once, with their prompts, in tokens a second.
type Clients struct {
	Count          int     `json:"count"`
	Alone          float64 `json:"alone_tokens_per_second"` // one client
	Together       float64 `json:"together_tokens_per_second"`
	Times          float64 `json:"times"`           // together over alone
	ProcessorTimes float64 `json:"processor_times"` // the same of processor time
}

// Llama has the rates of llama.cpp, in tokens a second.
type Llama struct {
	Prefill float64 `json:"prefill_tokens_per_second"`
	Decode  float64 `json:"decode_tokens_per_second"`
}

// String is a table with a line for each figure, beside the figure of llama.cpp.
func (f *Figures) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s: %s, %d MB of weights as they are held\n", f.Model, f.Architecture, f.WeightBytes>>20)
	row := func(name string, format string, own, other float64) {
		if other != 0 {
			fmt.Fprintf(&w, "%-34s "+format+"  llama.cpp "+format+"  ratio %.2f\n", name, own, other, own/other)
			return
		}
		fmt.Fprintf(&w, "%-34s "+format+"\n", name, own)
	}
	var peer Llama
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
	row("share of the read bandwidth", "%9.2f", f.ReadShare, 0)
	row("the same with keys and values", "%9.2f", f.ReadShare*(1+f.CacheRead/max(f.WeightsRead, 1)), 0)
	how := fmt.Sprintf("in %d streams each", f.Streams)
	if f.Streams == 0 {
		how = "by dot products"
	}
	fmt.Fprintf(&w, "%-34s %9.2f (%d threads read %d MB %s)\n", "read bandwidth, GB a second", f.ReadBandwidth/1e9, f.Threads, f.read>>20, how)
	if f.FileBandwidth > 0 {
		row("share of the file's", "%9.2f", f.FileShare, 0)
		fmt.Fprintf(&w, "%-34s %9.2f (the mapped weights, whose pages the system chooses)\n", "bandwidth of the file, GB a second", f.FileBandwidth/1e9)
	}
	return w.String()
}
