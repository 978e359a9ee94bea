package llm

import (
	"math"
	"slices"

	"github.com/go-acap/acap/llm/grammar"
)

// constraint lets only tokens through that a grammar allows.
type constraint struct {
	m     *Model
	state *grammar.State
	known map[string][]bool // tokens that may come, by state
}

func newConstraint(m *Model, g *grammar.Grammar) *constraint {
	m.textsOnce.Do(func() {
		list := make([]string, min(m.tokens.Size(), m.Vocabulary))
		var silent []int
		for i := range list {
			if list[i] = m.textOf(i); m.tokens.IsSpecial(i) && !slices.Contains(m.ends, i) {
				silent = append(silent, i)
			}
		}
		m.texts = grammar.NewTexts(list, silent)
	})
	return &constraint{m, g.Start(), map[string][]bool{}}
}

// textOf is the text that grammars see of a token, "" for one that stands for none.
func (m *Model) textOf(token int) string {
	if m.tokens.IsSpecial(token) || slices.Contains(m.ends, token) {
		return ""
	}
	return m.tokens.Text(token)
}

// mostKnownStates bounds what a constraint remembers.
const mostKnownStates = 256

// apply sets the scores of tokens that may not come to -inf.
func (c *constraint) apply(scores []float32) {
	if c.state == nil {
		return
	}
	key := c.state.Key()
	allowed := c.known[key]
	if allowed == nil {
		allowed = make([]bool, len(scores))
		any := false
		c.state.Allowed(c.m.texts, func(i int) { allowed[i], any = true, true })
		if c.state.Done() || !any { // where no token goes on, the answer ends
			for _, t := range c.m.ends {
				if t < len(allowed) {
					allowed[t] = true
				}
			}
		}
		if len(c.known) >= mostKnownStates {
			clear(c.known)
		}
		c.known[key] = allowed
	}
	for i := range scores {
		if !allowed[i] {
			scores[i] = float32(math.Inf(-1))
		}
	}
}

// accept goes on behind a token.
func (c *constraint) accept(token int) {
	if c.state != nil && !slices.Contains(c.m.ends, token) {
		c.state, _ = c.state.NextToken(token, c.m.textOf(token))
	}
}

// ended reports whether nothing may follow.
func (c *constraint) ended() bool { return c.state != nil && c.state.Ended() }
