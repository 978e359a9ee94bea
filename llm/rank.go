package llm

import (
	"context"
	"errors"
	"strings"

	"github.com/go-acap/acap/text/tokenizer"
)

// ErrNoRank is the error of pairs of texts for a model that does not score these.
var ErrNoRank = errors.New("llm: the model scores no pairs of texts; an encoder or a Qwen 3 does whose GGUF file says pooling_type 4 (rank), " +
	"or whose folder is of a class such as XLMRobertaForSequenceClassification with one output")

// Ranks reports whether the model scores pairs of texts, with [Model.Rank].
func (m *Model) Ranks() bool { return m.Pooling == "rank" }

// Rank returns how well each text answers a query: a higher score is better. Errors are [ErrNoRank] and those of
// [Model.Embed].
func (m *Model) Rank(ctx context.Context, query string, texts ...string) ([]float32, error) {
	scores := make([]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tokens, err := m.EncodePair(query, text)
		if err != nil {
			return nil, err
		}
		if scores[i], err = m.RankTokens(tokens); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// EncodePair returns the tokens of a query and a text for [Model.RankTokens]. Errors are those of
// [tokenizer.Tokenizer.Encode].
func (m *Model) EncodePair(query, text string) ([]int, error) {
	if m.pairs != "" {
		return m.tokens.Encode(strings.NewReplacer("{query}", query, "{document}", text).Replace(m.pairs), tokenizer.EncodeOptions{Whole: true})
	}
	return m.tokens.EncodePair(query, text, tokenizer.EncodeOptions{Special: true, Whole: true})
}

// RankTokens is [Model.Rank] for one pair in tokens.
func (m *Model) RankTokens(tokens []int) (float32, error) {
	if !m.Ranks() {
		return 0, ErrNoRank
	}
	rows, err := m.rowsOf(tokens)
	if err != nil {
		return 0, err
	}
	return m.pipeline.Score(m.described, rows), nil
}
