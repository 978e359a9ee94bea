package llm

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm/architecture"
)

// fill takes pages for so many tokens, whose content is known afterwards.
func fill(p *pages, pages int, first byte) (list []int) {
	for i := range pages {
		last := 0
		if i > 0 {
			last = list[i-1]
		}
		page, ok := p.take(last, pages)
		if !ok {
			return list
		}
		list = append(list, page)
		p.keep(page, digest{first, byte(i), 1})
	}
	return list
}

// TestPagesInOrder: the pages of a sequence lie in order also when all of them have been used, and are those that were left longest ago.
func TestPagesInOrder(t *testing.T) {
	p := newPages(span{}, 9)
	a, b, c := fill(p, 3, 1), fill(p, 2, 2), fill(p, 3, 3)
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5}, {6, 7, 8}}, [][]int{a, b, c})
	_, ok := p.take(0, 1)
	require.False(t, ok)
	p.leave(c)
	p.leave(a)
	d := fill(p, 2, 4)
	require.Equal(t, []int{6, 7}, d, "c was left before a")
	require.Equal(t, 3, p.share(digest{1, 2, 1}), "a is there")
	require.NotContains(t, p.find, digest{3, 0, 1}, "c is overwritten")
	require.Equal(t, []int{8, 1, 2}, fill(p, 3, 5), "there are no three in a row")
	_, ok = p.take(3, 1)
	require.False(t, ok)
	p.leave(b)
	require.Equal(t, []int{4, 5}, fill(p, 2, 6))
}

// TestRetired: of a sequence whose next token is at a position, exactly the pages are given back whose tokens that
// token does not see, and the sequence holds no more than the pool is made for. What sees all tokens gives nothing
// back.
func TestRetired(t *testing.T) {
	for _, of := range []span{{window: 1}, {window: 31}, {window: 32}, {window: 33}, {window: 48}, {window: 100}, {window: 40, chunked: true}, {window: 32, chunked: true}, {}} {
		b := newBatch(1<<20, 1, of)
		p := b.pools[0]
		s := &sequence{limit: 700}
		for s.cached < 700 {
			require.True(t, s.room(b.pools, s.cached+1))
			require.LessOrEqual(t, len(p.users)-1-p.free, of.held(s.limit))
			s.tokens = append(s.tokens, s.cached)
			s.advance(b.pools, 1)
			for i, page := range s.tables[0].pages {
				last, first := (i+1)*pageTokens-1, 0 // of the page, and what the token at s.cached sees
				switch {
				case of.chunked:
					first = s.cached - s.cached%of.window
				case of.window > 0:
					first = s.cached - of.window + 1
				}
				require.Equal(t, last >= first, page != 0, "page %d of %d tokens, %+v", i, s.cached, of)
			}
		}
		s.leave(b.pools)
		require.Equal(t, len(p.users)-1, p.free)
	}
	d := architecture.Description{Layers: 3, Window: 48, Context: 1024, Windows: []bool{true, false, true}}
	require.Equal(t, []span{{window: 48}, {}}, spansOf(&d))
	d.Context = 48
	require.Equal(t, []span{{}}, spansOf(&d), "a window that sees the whole context")
}

// TestReusedWindows: a sequence has the pages of those before it that its next token sees: all in one pool, and those
// of the window in another. Where pages of the window are gone, it begins at an earlier page whose window is there.
func TestReusedWindows(t *testing.T) {
	b := newBatch(1<<12, 1, span{}, span{window: 64})
	tokens := make([]int, 400)
	for i := range tokens {
		tokens[i] = i
	}
	first := &sequence{tokens: tokens[:330], limit: 400}
	require.True(t, first.room(b.pools, 330))
	first.advance(b.pools, 330)
	first.leave(b.pools)
	has := func(want int) {
		t.Helper()
		s := &sequence{tokens: tokens, limit: 400}
		s.reuse(b.pools)
		require.Equal(t, want, s.cached)
		require.Len(t, s.tables[0].pages, want/pageTokens)
		require.Equal(t, max(0, (want-63)/pageTokens), s.tables[1].gone)
		for i, page := range s.tables[1].pages {
			require.Equal(t, i >= s.tables[1].gone, page != 0)
		}
		s.leave(b.pools)
		for _, p := range b.pools {
			require.Equal(t, len(p.users)-1, p.free)
		}
	}
	has(320)
	window := b.pools[1]
	window.forget(10) // of tokens 288 to 319
	has(288)
	window.forget(8)
	has(224)
	window.forget(1) // which no later token sees
	has(224)
	b.pools[0].forget(3)
	has(0)
	b.pools[0].forget(1)
	has(0)
}

// TestBytesOfWindows: layers that see a window have memory for the window, whatever the context is, and scores are
// those of layers that keep all tokens, over 10,000 tokens. The others have memory for all tokens.
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
	windows, whole := &engine{m: m, batch: newBatch(tokens, 1, m.seen...)}, &engine{m: m, batch: newBatch(tokens, 1, span{})}
	var want [][]float32
	for _, e := range []*engine{windows, whole} {
		m.seen = nil
		for _, p := range e.pools {
			m.seen = append(m.seen, p.span)
		}
		m.steps = steps{}
		s := &sequence{tokens: list, limit: tokens}
		var rows [][]float32
		for n := 350; s.cached < tokens; n = 1 { // a prompt, and tokens
			require.True(t, s.room(e.pools, s.cached+n))
			scores, err := e.compute(m.network, &e.memory, []piece{{s, s.cached, n}}, false)
			require.NoError(t, err)
			if s.advance(e.pools, n); s.cached%50 == 0 {
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
