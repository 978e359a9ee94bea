package llm

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/tensor"
)

// mostScored is how many rows of scores [Model.Likelihoods] holds at once.
const mostScored = 64

// Likelihoods returns the tokens behind the first one, each with the logarithm of the probability that the model gives
// the token behind those in front of it, and with the most most likely tokens at the place. Probabilities come from the
// scores before any sampler. Texts of the pieces are empty. A model that does not answer, such as an encoder, is an
// error, and so are a negative most, tokens that the model does not take, and a context that ends.
func (m *Model) Likelihoods(ctx context.Context, tokens []int, most int) (list []Piece, err error) {
	if err := m.Answers(); err != nil {
		return nil, err
	}
	if most < 0 {
		return nil, fmt.Errorf("llm: the %d most likely tokens, want at least 0", most)
	}
	err = m.computed(tokens, func(rows *tensor.Tensor) error {
		if err := lazy.Sync(ctx, rows); err != nil { // once, and not for each part of them
			return err
		}
		count := rows.Size(0)
		for first := 0; first < len(tokens)-1; first += mostScored {
			scores := m.network.Scores(rows.Narrow(0, first, min(mostScored, count-first)))
			if err := lazy.Sync(ctx, scores); err != nil {
				return err
			}
			values := scores.Float32s()
			for i, next := range tokens[first+1 : min(first+1+mostScored, len(tokens))] {
				p := Piece{Token: next}
				p.Logprob, p.Top = sampling.Logits{Scores: values[i*m.Vocabulary : (i+1)*m.Vocabulary]}.Logprobs(next, most)
				list = append(list, p)
			}
		}
		return nil
	})
	return list, err
}

// computed gives a function the rows behind the last layer for tokens, one behind another, before the last norm: a few
// rows more than tokens may follow. The tokens see each other as the architecture says, and nothing is kept.
func (m *Model) computed(tokens []int, f func(rows *tensor.Tensor) error) (err error) {
	if len(tokens) == 0 || len(tokens) > m.Context {
		return fmt.Errorf("llm: %d tokens; a model with a context of %d reads 1 to %d at once", len(tokens), m.Context, m.Context)
	}
	for i, t := range tokens {
		if t < 0 || t >= m.Vocabulary {
			return fmt.Errorf("llm: token %d at place %d is none of the %d tokens", t, i, m.Vocabulary)
		}
	}
	m.embedding.RLock()
	defer m.embedding.RUnlock()
	if m.network.Files == nil {
		return ErrClosed
	}
	failed := tensor.Try(func() {
		var rows *tensor.Tensor
		if rows, err = m.network.LastRows(tokens); err == nil {
			err = f(rows)
		}
	})
	return errors.Join(err, failed)
}
