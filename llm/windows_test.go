package llm

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
)

// TestBytesOfWindows: layers that see a window have memory for the window, whatever the context is, and scores are the
// same as with layers that keep all tokens, over 10,000 tokens. The others have memory for all tokens.
func TestBytesOfWindows(t *testing.T) {
	const tokens = 10_000
	r := recordings(t)["smollm3-window"] // layers 0 and 2 see 6 tokens
	r.Config = bytes.Replace(r.Config, []byte(`"max_position_embeddings":64`), fmt.Appendf(nil, `"max_position_embeddings":%d`, tokens), 1)
	o, err := Inspect(folderOf(t, r))
	require.NoError(t, err)
	f, err := o.Footprint(LoadOptions{Context: tokens, CacheType: dtype.F32})
	require.NoError(t, err)
	page := int64(2 * 32 * 8 * 4) // heads, tokens, width and bytes of keys
	all, some := int64(313+1), int64(3+16+1)
	require.Equal(t, 2*page*(2*all+2*some), f.Cache)
	longtest.Only(t)
	m, err := Load(folderOf(t, r), LoadOptions{Context: tokens, CacheType: dtype.F32})
	require.NoError(t, err)
	defer m.Close()
	list := make([]int, tokens)
	for i := range list {
		list[i] = (7*i*i + 3*i) % 61
	}
	windows, whole := &engine{m: m, Batch: schedule.New(tokens, 1, m.network.Spans...)}, &engine{m: m, Batch: schedule.New(tokens, 1, cache.Span{})}
	var want [][]float32
	for _, e := range []*engine{windows, whole} {
		var spans []cache.Span
		for _, p := range e.Pools {
			spans = append(spans, p.Span)
		}
		m.network.SetSpans(spans...)
		s := &cache.Sequence{Tokens: list, Limit: tokens}
		var rows [][]float32
		for n := 350; s.Cached < tokens; n = 1 { // a prompt, and tokens
			require.True(t, s.Room(e.Pools, s.Cached+n))
			scores, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: s.Cached, Count: n}}, false)
			require.NoError(t, err)
			if s.Advance(e.Pools, n); s.Cached%50 == 0 {
				rows = append(rows, slices.Clone(scores.Scores))
			}
		}
		if e == windows {
			var sum int64
			parts, err := e.memory.Values()
			require.NoError(t, err)
			for _, x := range parts {
				sum += int64(x.NumElements()) * 4
			}
			require.Equal(t, f.Cache, sum)
			want = rows
			continue
		}
		require.Len(t, rows, len(want))
		for i := range want {
			near(t, want[i], rows[i], i)
		}
	}
}
