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
		for i := range list {
			if !m.tokens.IsSpecial(i) && !slices.Contains(m.ends, i) {
				list[i] = m.tokens.Text(i)
			}
		}
		m.texts = grammar.NewTexts(list)
	})
	return &constraint{m, g.Start(), map[string][]bool{}}
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
	if c.state == nil || slices.Contains(c.m.ends, token) {
		return
	}
	next, ok := c.state.Next([]byte(c.m.tokens.Text(token)))
	if !ok {
		next = nil
	}
	c.state = next
}

// ended reports whether nothing may follow.
func (c *constraint) ended() bool { return c.state != nil && c.state.Ended() }
