package llm

import (
	"context"
	"errors"
	"slices"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// rowsOf returns the last layer's rows for tokens, one behind another.
func (m *Model) rowsOf(tokens []int) (rows []float32, err error) {
	err = m.computed(tokens, func(x *tensor.Tensor) error {
		y := m.network.Normed(x)
		if err := lazy.Sync(context.Background(), y); err != nil {
			return err
		}
		rows = y.Float32s()[:len(tokens)*m.Width]
		return nil
	})
	return rows, err
}

// Embed returns a vector of length 1 for each text: the pooled rows of an encoder, or the last row of a model that
// generates. A text of more tokens than the model sees is an error.
func (m *Model) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tokens, err := m.EncodeText(text)
		if err != nil {
			return nil, err
		}
		if out[i], err = m.EmbedTokens(tokens); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EncodeText returns the tokens of a text to embed, with the prompt and in the letters that the folder of the model
// wants. Errors are those of [tokenizer.Tokenizer.Encode].
func (m *Model) EncodeText(text string) ([]int, error) { return m.encode(m.pipeline.Text(text)) }

// EmbedTokens is [Model.Embed] for one text in tokens. Errors are those of [Model.Embed].
func (m *Model) EmbedTokens(tokens []int) ([]float32, error) {
	if m.Ranks() {
		return nil, errors.New("llm: the model scores pairs of texts (Model.Rank, /v1/rerank) and makes no vectors")
	}
	rows, err := m.rowsOf(tokens)
	if err != nil {
		return nil, err
	}
	return m.pipeline.Vector(m.described, rows), nil
}

// Pools reports whether the model says how the rows of a text become one vector. [Model.Embed] makes a vector in any
// case.
func (m *Model) Pools() bool { return m.Pooling != "" && m.Pooling != "none" }

// Pooled is [Model.EmbedTokens] of whatever length the vector has.
func (m *Model) Pooled(tokens []int) ([]float32, error) {
	rows, err := m.rowsOf(tokens)
	if err != nil {
		return nil, err
	}
	return m.pipeline.Pooled(m.described, rows), nil
}

// EmbedRows returns what [Model.EmbedTokens] pools: the row of each token behind the last norm.
func (m *Model) EmbedRows(tokens []int) ([][]float32, error) {
	rows, err := m.rowsOf(tokens)
	return slices.Collect(slices.Chunk(rows, m.Width)), err
}

// EmbeddingWidth is the number of elements of what [Model.Embed] returns for a text.
func (m *Model) EmbeddingWidth() int { return m.pipeline.Width(m.described) }
