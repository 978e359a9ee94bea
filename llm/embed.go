package llm

import (
	"context"
	"math"
	"strings"

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

// Embed returns a vector of length 1 for each text: the pooled rows of an encoder, or the last row of a model that generates.
func (m *Model) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, err := m.rowsOf(m.EncodeText(text))
		if err != nil {
			return nil, err
		}
		out[i] = m.pool(rows)
	}
	return out, nil
}

// normalize divides a vector by its length, unless that is 0 or NaN.
func normalize(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(sum))
		}
	}
}

// Shortened returns the first numbers of an embedding, divided by their length, for models that were trained to be
// shortened. The embedding is changed; one that has no more numbers is returned as it is. A negative width panics.
func Shortened(embedding []float32, width int) []float32 {
	if width < len(embedding) {
		embedding = embedding[:width]
		normalize(embedding)
	}
	return embedding
}

// EncodeText returns the tokens of a text to embed, with the prompt and in the letters that the folder of the model wants.
func (m *Model) EncodeText(text string) []int {
	text = m.sentences.prompt + text
	if m.sentences.lower {
		text = strings.ToLower(text)
	}
	return m.encode(text)
}

// EmbedTokens is [Model.Embed] for one text in tokens.
func (m *Model) EmbedTokens(tokens []int) ([]float32, error) {
	rows, err := m.rowsOf(tokens)
	if err != nil {
		return nil, err
	}
	return m.pool(rows), nil
}
