package llm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/schedule"
)

// TestFootprintHeld: weights and the cache take to the byte what a loaded model takes, for both kinds of files.
func TestFootprintHeld(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, llmtest.WriteGGUF(filepath.Join(dir, "m.gguf"), llmtest.Small))
	require.NoError(t, llmtest.WriteFolder(filepath.Join(dir, "m"), llmtest.Small))
	for _, name := range []string{"m.gguf", "m"} {
		path := filepath.Join(dir, name)
		o, err := Inspect(path)
		require.NoError(t, err)
		options := LoadOptions{Context: 700, Sequences: 3, CacheTokens: EachContext}
		f, err := o.Footprint(options)
		require.NoError(t, err)
		m, err := Load(path, options)
		require.NoError(t, err)
		var weights, cache int64
		for _, w := range m.network.Tensors() {
			weights += int64(w.NumElements() * w.DType().Size())
		}
		memory, err := network.NewMemory(m.network, m.engine.Pools)
		require.NoError(t, err)
		parts, err := memory.Values()
		require.NoError(t, err)
		for _, x := range parts {
			cache += int64(x.NumElements() * x.DType().Size())
		}
		require.Equal(t, weights, f.Weights)
		require.Equal(t, weights, f.Mapped)
		require.Zero(t, f.Embeddings, "rows are read from the file")
		require.Equal(t, cache, f.Cache)
		require.EqualValues(t, 2*10*2*(16+16)*2, m.CacheBytes(9), "layers, tokens, heads, keys and values, bytes")
		m.Window, m.Windows = 4, []bool{true, false}
		require.EqualValues(t, (4+10)*2*(16+16)*2, m.CacheBytes(9))
		require.NoError(t, m.Close())
	}
	_, err := Inspect(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestFootprintByHand: the programs that fill 1000 tokens of four sequences, and the bytes between the kernels of a
// token of two sequences.
func TestFootprintByHand(t *testing.T) {
	o := &Outline{Description: architecture.Description{Width: 64, Heads: 4, KVHeads: 4, HeadWidth: 16, ValueWidth: 16, Hidden: 48, Vocabulary: 320}}
	require.Equal(t, []Pass{{Sequences: 1, Tokens: 512, Seen: 1024}, {Sequences: 1, Tokens: 384, Seen: 1024}, {Sequences: 1, Tokens: 1, Seen: 1024},
		{Sequences: 2, Tokens: 1, Seen: 1024}, {Sequences: 4, Tokens: 1, Seen: 1024}, {Sequences: 512, Tokens: 1, Seen: 1024}},
		o.passes(LoadOptions{Context: 1000, Sequences: 4}, 4032))
	attention := 2 * (64 + 2*64 + 4*32) * 4 // the rows, their queries with what attention makes of them, keys and values
	attention += 2*256*(1+8) + 2*16*4       // which places are seen, and their numbers, and cosines and sines
	require.EqualValues(t, attention+2*320*4, o.activations(2, 1, 256), "and the scores")
	o.Context = 1000
	f, err := o.Footprint(LoadOptions{Context: 1000})
	require.NoError(t, err)
	require.Equal(t, o.activations(1, 512, 1024)+o.activations(1, 1, 1024), f.Activations, "programs of prompts share theirs")
	o.Weights = []Held{{Shape: []int{64}, Bytes: 64 * 4}, {Shape: []int{320, 64}, Bytes: 320 * 64 * 4},
		{Shape: []int{96, 64}, Bytes: 96 * 64 * 4}, {Shape: []int{128, 64}, Bytes: 128 * 64 * 2}}
	require.EqualValues(t, 6*(96*64+32*64), o.packing(32, cpu.Features{Tiles: true}), "f32 weights of layers alone")
	require.Zero(t, o.packing(1, cpu.Features{Tiles: true}))
	require.EqualValues(t, 4*32*64, o.packing(32, cpu.Features{}), "rows of f32")
}

// TestFootprintOfPasses: what lies between kernels is at least what compiled passes take and at most twice as much;
// their code is within a quarter.
func TestFootprintOfPasses(t *testing.T) {
	longtest.Only(t)
	sizes := llmtest.Sizes{Layers: 2, Width: 512, Heads: 4, KVHeads: 2, Hidden: 1024, Vocabulary: 320, Context: 2048, Seed: 1}
	path := llmtest.File(t, sizes)
	o, err := Inspect(path)
	require.NoError(t, err)
	m, err := Load(path, LoadOptions{Context: 2048})
	require.NoError(t, err)
	defer m.Close()
	for _, p := range []Pass{{Sequences: 1, Tokens: 512, Seen: 2048}, {Sequences: 1, Tokens: 256, Seen: 256}} {
		s := &cache.Sequence{Tokens: make([]int, p.Tokens), Limit: p.Seen}
		memory, err := network.NewMemory(m.network, m.engine.Pools)
		require.NoError(t, err)
		parts, err := memory.Values()
		require.NoError(t, err)
		require.True(t, s.Room(schedule.New(2048, 1, cache.Span{}).Pools, p.Tokens))
		require.Equal(t, p, m.engine.PassOf([]schedule.Piece{{Sequence: s, From: 0, Count: p.Tokens}}))
		e, err := m.network.Explain(network.Numbers{Pass: p, Picks: 1}, m.engine.Pools)
		require.NoError(t, err)
		var cache int64
		for _, k := range parts {
			cache += int64(k.NumElements() * k.DType().Size())
		}
		between := e.Peak - cache
		activations := o.activations(p.Sequences, p.Tokens, p.Seen)
		require.LessOrEqual(t, between, activations, "%v", p)
		require.Less(t, activations, 2*between, "%v", p)
		require.InEpsilon(t, e.Kept-between, o.program(), 0.25, "%v", p)
	}
}

// TestCacheBeyondMemory: a cache that the memory has no room for is refused, and not taken until the process is killed.
func TestCacheBeyondMemory(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	defer lazy.MemoryLimit(lazy.MemoryLimit(1 << 20))
	_, err := Load(path, LoadOptions{Context: 512, Sequences: 50, CacheTokens: EachContext})
	require.ErrorContains(t, err, "the cache of keys and values for 25600 tokens takes ")
	require.ErrorContains(t, err, "the limit is 1 MiB")
}
