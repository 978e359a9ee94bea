package llm

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor"
)

// Explain says what a pass would run, kernel by kernel, as [lazy.Explain] does. The next token of one sequence is
// Pass{1, 1, seen}, where seen is the places that it looks at: a power of two from 256 on, or the context in whole
// pages of 32. Nothing runs. A pass that the model cannot make is an error. A pass that the model has computed is found
// compiled.
func (m *Model) Explain(p Pass) (e *lazy.Explanation, err error) {
	if m.engine == nil {
		return nil, fmt.Errorf("llm: a model of the architecture %s has no passes", m.Architecture)
	}
	places := cache.PlacesFor(m.options.CacheTokens)
	if p.Sequences < 1 || p.Tokens < 1 || p.Seen < 1 || p.Sequences > max(m.options.Sequences, MostPiece) || p.Tokens > m.Context || p.Seen > max(places, cache.PlacesFor(m.Context)) {
		return nil, fmt.Errorf("llm: a pass of %d tokens of %d sequences that see %d places; the model takes up to %d of %d that see %d",
			p.Tokens, p.Sequences, p.Seen, m.Context, max(m.options.Sequences, MostPiece), places)
	}
	if p.Seen%cache.PageTokens != 0 {
		return nil, fmt.Errorf("llm: a pass that sees %d places, which are no whole pages of %d", p.Seen, cache.PageTokens)
	}
	failed := tensor.Try(func() {
		of := network.Numbers{Pass: p}
		if p.Tokens > 1 {
			of.Picks = p.Sequences
		}
		e, err = m.network.Explain(of, schedule.New(m.options.CacheTokens, m.options.Sequences, m.network.Spans...).Pools)
	})
	return e, errors.Join(err, failed)
}
