package llm

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
)

// Footprint is the memory of a model that generates, in bytes, part by part.
type Footprint struct {
	Weights     int64 `json:"weights"`     // that products and norms read, as they are held
	Mapped      int64 `json:"mapped"`      // of these, bytes of the file, which the system may drop and read again
	Embeddings  int64 `json:"embeddings"`  // that are looked up and lie in memory of their own
	Cache       int64 `json:"cache"`       // keys and values
	Activations int64 `json:"activations"` // of the programs, which keep their room from run to run
	Programs    int64 `json:"programs"`    // compiled code, and what it was made of
	Process     int64 `json:"process"`     // without a model
}

// Total is all parts.
func (f *Footprint) Total() int64 {
	return f.Weights + f.Embeddings + f.Cache + f.Activations + f.Programs + f.Process
}

// The bytes of what no header says, as they were measured: a process that has read a vocabulary, and a kernel of a
// compiled program.
const (
	processBytes = 48 << 20
	kernelBytes  = 50 << 10
)

// Footprint says what a model takes that was loaded with these options and has filled its context. Of the options
// Context, CacheTokens, CacheType, CacheFormat, Exact and Sequences count; 0 stands for what [Load] takes. Options that
// [Load] refuses are errors here as well.
func (o *Outline) Footprint(options LoadOptions) (*Footprint, error) {
	if err := options.complete(&o.Description); err != nil {
		return nil, fmt.Errorf("llm: %w", err)
	}
	f := &Footprint{Process: processBytes}
	for _, w := range o.Weights {
		f.Weights += w.Bytes
		if w.Mapped {
			f.Mapped += w.Bytes
		}
	}
	if o.lookedUp {
		f.Embeddings = int64(o.Vocabulary) * int64(o.Width+o.Layers*o.LayerWidth) * 4
	}
	if o.Encoder {
		s := schedule.Rows(options.Context, schedule.LeastPiece, MostPiece)
		f.Activations, f.Programs = o.activations(1, max(s, options.Context), options.Context), o.program()
		return f, nil
	}
	places := cache.PlacesFor(options.CacheTokens)
	f.Cache = cacheBytes(&o.Description, &options)
	var prompt int64 // programs of prompts share their memory
	for _, p := range o.passes(options, places) {
		if a := o.activations(p.Sequences, p.Tokens, p.Seen); p.Tokens > 1 {
			prompt = max(prompt, a)
		} else {
			f.Activations += a
		}
		f.Programs += o.program()
	}
	f.Activations += prompt
	return f, nil
}

// cacheBytes returns the bytes of keys and values; options must be complete.
func cacheBytes(d *architecture.Description, o *LoadOptions) (bytes int64) {
	for i := range d.Layers {
		for _, row := range cache.RowsOf(d, i, o.kept()) {
			bytes += int64(row.Places(row.Span.Pages(o.CacheTokens, o.Sequences, MostPiece))*row.Heads) * row.Bytes(row.Width)
		}
	}
	return bytes
}

// passes are the programs that fill a context: whole pieces of a prompt, a rest that needs a program of its own, and
// the tokens after the prompt, and rows of prompts beside them where there are several sequences. A longer context
// never has fewer programs.
func (o *Outline) passes(options LoadOptions, places int) []Pass {
	seen := schedule.Bucket(options.Context, schedule.LeastSeen, places)
	var list []Pass
	if options.Context > MostPiece {
		list = append(list, Pass{Sequences: 1, Tokens: MostPiece, Seen: seen}, Pass{Sequences: 1, Tokens: MostPiece / 4 * 3, Seen: seen})
	} else if n := options.Context - 1; n > 1 {
		list = append(list, Pass{Sequences: 1, Tokens: schedule.Rows(n, schedule.LeastPiece, MostPiece), Seen: seen})
	}
	list = append(list, Pass{Sequences: 1, Tokens: 1, Seen: seen})
	for n := 2; n < 2*options.Sequences; n *= 2 {
		list = append(list, Pass{Sequences: schedule.Bucket(n, 1, options.Sequences), Tokens: 1, Seen: seen})
	}
	if options.Sequences > 1 {
		list = append(list, Pass{Sequences: MostPiece, Tokens: 1, Seen: seen})
	}
	return list
}

// activations are what lies between the kernels of a pass at most: beside attention, or beside the gated part of a
// layer.
func (o *Outline) activations(sequences, tokens, seen int) int64 {
	rows := int64(sequences) * int64(tokens)
	width, queries := int64(o.Width), int64(o.Heads)*int64(o.HeadWidth)
	kv := int64(o.KVHeads) * int64(o.HeadWidth+o.ValueWidth)
	attention := rows * (width + 2*queries + kv) * 4
	all := rows*int64(seen) + rows*int64(o.HeadWidth)*4 // what layers share: which places are seen, and cosines and sines
	if tokens == 1 {                                    // numbers of places
		all += rows * int64(seen) * 8
	}
	hidden := int64(o.Hidden)
	if e := o.Experts; e != nil {
		hidden = max(hidden, int64(e.Chosen)*int64(e.Hidden)+int64(e.SharedHidden))
		if rows*int64(e.Chosen) > int64(e.Count) { // all experts see all rows
			hidden = max(hidden, int64(e.Count)*int64(e.Hidden))
		}
	}
	all += max(attention, rows*(2*width+3*hidden)*4) + o.packing(tokens, cpu.Detect())
	return all + int64(sequences)*int64(o.Vocabulary)*4
}

// packing is how many bytes a product of a piece of a prompt packs at most in each run: its rows, copied side by side.
// Where the processor has matrix tiles, both operands of a product with an f32 weight are split into three bf16 numbers
// an element.
func (o *Outline) packing(tokens int, f cpu.Features) (most int64) {
	const parts, leastRows = 3 * 2, 16 // bytes of an element; rows of a tile
	if tokens < leastRows {
		return 0
	}
	for _, w := range o.Weights {
		if len(w.Shape) != 2 || o.vocabulary(w) {
			continue
		}
		n, rows := int64(shape.Size(w.Shape)), int64(tokens)*int64(w.Shape[1])
		switch {
		case f.Tiles && w.Bytes == 4*n:
			most = max(most, parts*(n+rows))
		case !f.Tiles:
			most = max(most, 4*rows)
		}
	}
	return most
}

// vocabulary reports whether a weight has a row for each word, as embeddings and scores have: few rows are multiplied
// with it.
func (o *Outline) vocabulary(w Held) bool { return w.Shape[0] == o.Vocabulary }

// program is the code of a pass.
func (o *Outline) program() int64 { return int64(o.Layers)*17*kernelBytes + 2*kernelBytes }
