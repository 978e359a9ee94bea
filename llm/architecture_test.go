package llm

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor/safetensors"
)

// recorded is a small model with what transformers computes for it; testdata/record.py records.
type recorded struct {
	Config  json.RawMessage
	Weights map[string][]int
	Tokens  []int
	Rows    []int
	Values  [][]float32
}

func recordings(t *testing.T) map[string]recorded {
	data, err := os.ReadFile("testdata/architectures.json")
	require.NoError(t, err)
	list := map[string]recorded{}
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// formula is the weight of a name in the recording.
func formula(name string, shape []int) []float32 {
	n := 1
	for _, d := range shape {
		n *= d
	}
	out := make([]float32, n)
	sum := crc32.ChecksumIEEE([]byte(name))
	for i := range out {
		v := uint32(i) + sum
		v ^= v >> 16
		v *= 0x7feb352d
		v ^= v >> 15
		v *= 0x846ca68b
		v ^= v >> 16
		w := float64(v>>8)/(1<<24) - 0.5
		switch {
		case len(shape) > 1:
			w *= 4 / math.Sqrt(float64(shape[len(shape)-1]))
		case strings.Contains(strings.ToLower(name), "norm") || strings.Contains(name, "ln_"):
			w++
		}
		switch {
		case strings.HasSuffix(name, "ssm_a"): // states decay
			w -= 3
		case name == "rope_freqs.weight":
			w++
		}
		out[i] = float32(w)
	}
	return out
}

// folderOf writes the folder of a recorded model, with a vocabulary of words.
func folderOf(t testing.TB, r recorded) string {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	write("config.json", r.Config)
	var list []safetensors.Tensor
	for name, shape := range r.Weights {
		list = append(list, safetensors.Tensor{Name: name, Data: buf.From(formula(name, shape), shape...)})
	}
	require.NoError(t, safetensors.WriteFile(filepath.Join(dir, "model.safetensors"), list, nil))
	vocabulary := map[string]int{}
	for i := range 64 {
		vocabulary[fmt.Sprint("w", i)] = i
	}
	data, err := json.Marshal(map[string]any{"model": map[string]any{"type": "WordLevel", "vocab": vocabulary, "unk_token": "w0"},
		"pre_tokenizer": map[string]any{"type": "WhitespaceSplit"}, "added_tokens": []any{}})
	require.NoError(t, err)
	write("tokenizer.json", data)
	return dir
}

// TestArchitectures compares scores with transformers' scores: the whole prompt at once, and token by token out of the
// cache. A usual run has all rows of a short prompt from its first tokens alone, and its last rows from prompts.
func TestArchitectures(t *testing.T) {
	for name, r := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			paged := strings.HasSuffix(name, "-paged") // longer than a window and pages
			if paged && strings.HasPrefix(name, "llama4") && !longtest.On() {
				t.Skip("a usual run has windows and no chunks")
			}
			context := map[bool]int{false: 64 - 2*(strings.Count(name, "roberta")+strings.Count(name, "camembert")), true: 160}[paged]
			m, err := Load(folderOf(t, r), LoadOptions{Context: context, CacheType: dtype.F32})
			require.NoError(t, err)
			defer m.Close()
			if m.Encoder {
				rows, err := m.rowsOf(r.Tokens)
				require.NoError(t, err)
				for i, row := range r.Rows {
					near(t, r.Values[i], rows[row*m.Width:(row+1)*m.Width], row)
				}
				return
			}
			firsts := []int{3, len(r.Tokens)}
			if !paged {
				firsts = longtest.Some(1, firsts...)
			}
			for _, first := range firsts {
				e := &engine{m: m, Batch: schedule.New(7*cache.PageTokens, 1, m.network.Spans...)}
				s := &cache.Sequence{Tokens: slices.Clone(r.Tokens), Limit: len(r.Tokens)}
				for n := first; s.Cached < len(r.Tokens); n = 1 {
					require.True(t, s.Room(e.Pools, s.Cached+n))
					scores, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: s.Cached, Count: n}}, n > 1)
					require.NoError(t, err)
					for i, row := range r.Rows {
						if at := row - s.Cached; at >= 0 && at < n {
							near(t, r.Values[i], scores.Scores[at*m.Vocabulary:(at+1)*m.Vocabulary], row)
						}
					}
					s.Advance(e.Pools, n)
				}
				if paged && m.Stateful() { // attention is in the second layer
					require.Equal(t, []int{0, 4}, []int{s.Tables[m.network.PoolOf(1)].Gone, s.Tables[m.network.PoolOf(0)].Gone})
				} else if paged {
					gone := map[bool]int{false: 3, true: 4}[m.Convolved != nil] // pages in front of 40 tokens, or of 3
					require.Equal(t, []int{0, gone}, []int{s.Tables[m.network.PoolOf(m.Layers-1)].Gone, s.Tables[m.network.PoolOf(0)].Gone})
				}
			}
			prompts(t, m, r.Tokens, r.Rows, r.Values)
			if paged && m.Stateful() {
				forked(t, m, r)
				dir := folderOf(t, r)
				_, err := Load(dir, LoadOptions{Draft: dir})
				require.ErrorContains(t, err, "keeps a state")
			}
		})
	}
}

// forked reads a prompt behind the state that another sequence, which has gone on otherwise, has left at the end of a
// page.
func forked(t *testing.T, m *Model, r recorded) {
	e := &engine{m: m, Batch: schedule.New(14*cache.PageTokens, 2, m.network.Spans...)}
	step := func(s *cache.Sequence, n int) sampling.Logits {
		require.True(t, s.Room(e.Pools, s.Cached+n))
		l, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: s.Cached, Count: n}}, false)
		require.NoError(t, err)
		s.Advance(e.Pools, n)
		return l
	}
	within := &cache.Sequence{Tokens: r.Tokens[:40], Limit: 40} // whose pass ends behind the page: there is no state of the page
	step(within, 40)
	within.Leave(e.Pools)
	fresh := &cache.Sequence{Tokens: r.Tokens, Limit: len(r.Tokens)}
	fresh.Reuse(e.Pools)
	require.Zero(t, fresh.Cached)
	other := &cache.Sequence{Tokens: append(slices.Clone(r.Tokens[:70]), 5, 6, 7), Limit: len(r.Tokens)}
	for _, n := range []int{64, 6, 1, 1} {
		step(other, n)
	}
	s := &cache.Sequence{Tokens: r.Tokens, Limit: len(r.Tokens)}
	s.Reuse(e.Pools)
	require.Equal(t, 64, s.Cached)
	step(s, 2)
	step(s, 18)
	other.Leave(e.Pools)
	near(t, r.Values[1], step(s, len(r.Tokens)-84).Row(0, m.Vocabulary).Scores, r.Rows[1])

	// A pass of five sequences has six rows. The state of the sixth row, which fills up the pass, is not the state with
	// which sequences begin.
	e = &engine{m: m, Batch: schedule.New(14*cache.PageTokens, 8, m.network.Spans...)}
	var list []schedule.Piece
	for i := range 5 {
		s := &cache.Sequence{Tokens: r.Tokens[i : i+1], Limit: 1}
		require.True(t, s.Room(e.Pools, 1))
		list = append(list, schedule.Piece{Sequence: s, From: 0, Count: 1})
	}
	_, err := e.compute(m.network, &e.memory, list, false)
	require.NoError(t, err)
	fresh = &cache.Sequence{Tokens: r.Tokens[:r.Rows[0]+1], Limit: len(r.Tokens)}
	near(t, r.Values[0], step(fresh, r.Rows[0]+1).Row(0, m.Vocabulary).Scores, r.Rows[0])
}

// prompts reads one prompt up to each of some rows, as rows of one pass; scores are the scores of the rows. Where
// layers keep states, the last tokens are the rows.
func prompts(t *testing.T, m *Model, tokens, rows []int, values [][]float32) {
	e := &engine{m: m, Batch: schedule.New(7*cache.PageTokens*len(rows), len(rows), m.network.Spans...)}
	var list []schedule.Piece
	for _, row := range rows {
		s := &cache.Sequence{Tokens: tokens[:row+1], Limit: len(tokens)}
		require.True(t, s.Room(e.Pools, row+1))
		p := schedule.Piece{Sequence: s, From: 0, Count: row + 1}
		if m.Stateful() {
			_, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: 0, Count: row}}, false)
			require.NoError(t, err)
			s.Advance(e.Pools, row)
			p = schedule.Piece{Sequence: s, From: row, Count: 1}
		}
		list = append(list, p)
	}
	scores, err := e.compute(m.network, &e.memory, list, false)
	require.NoError(t, err)
	for i, row := range rows {
		near(t, values[i], scores.Scores[i*m.Vocabulary:(i+1)*m.Vocabulary], row)
	}
}

func near(t *testing.T, want, got []float32, row int) {
	t.Helper()
	within(t, 2e-5, want, got, row)
}

// within compares the scores of a row, relative to the largest.
func within(t *testing.T, bound float64, want, got []float32, row int) {
	t.Helper()
	worst, scale := 0.0, 0.0
	for i := range want {
		worst = max(worst, math.Abs(float64(want[i]-got[i])))
		scale = max(scale, math.Abs(float64(want[i])))
	}
	require.LessOrEqual(t, worst, bound*max(scale, 1), "row %d", row)
}
