package serve

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"

	"github.com/go-acap/acap/llm/embedding"
)

// embed answers /v1/embeddings.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Format     string          `json:"encoding_format"`
		Dimensions *int            `json:"dimensions"`
		idle
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	width := s.model.EmbeddingWidth()
	if q.Dimensions != nil {
		if width = *q.Dimensions; width < 1 || width > s.model.EmbeddingWidth() {
			return bad("dimensions", "dimensions is %d, want 1 to %d", width, s.model.EmbeddingWidth())
		}
	}
	var data []any
	count, err := s.embedEach(r, q.Model, q.Format, q.Input, "input", func(i int, tokens []int) error {
		v, err := s.model.EmbedTokens(tokens)
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": encoded(embedding.Shortened(v, width), q.Format)})
		return err
	})
	if err == nil {
		answer(w, http.StatusOK, map[string]any{"object": "list", "data": data, "model": s.options.Name,
			"usage": map[string]int{"prompt_tokens": count, "total_tokens": count}})
	}
	return err
}

// embedEach gives the tokens of each text of a request to a function, and returns how many tokens there are.
func (s *Server) embedEach(r *http.Request, model, format string, input json.RawMessage, param string, embed func(i int, tokens []int) error) (count int, err error) {
	if err := s.serves(model); err != nil {
		return 0, err
	}
	if format != "" && format != "float" && format != "base64" {
		return 0, bad("encoding_format", "encoding_format is %q; there are float and base64", format)
	}
	if s.model.Ranks() {
		return 0, bad("model", "the model scores pairs of texts, at /v1/rerank, and makes no vectors")
	}
	prompts, _, err := s.prompts(input, param, s.model.EncodeText)
	if err != nil {
		return 0, err
	}
	for i, p := range prompts {
		if err := r.Context().Err(); err != nil {
			return 0, err
		}
		switch most := s.model.Limit(); {
		case len(p) == 0:
			return 0, bad(param, "part %d of %s has no token, want 1 to %d", i, param, most)
		case len(p) > most:
			return 0, tooLong(param, "part %d of %s has %d tokens, want 1 to %d", i, param, len(p), most)
		}
		if err := embed(i, p); err != nil {
			return 0, err
		}
		count += len(p)
	}
	return count, nil
}

// encoded is a vector as numbers, or as the bytes of its f32.
func encoded(v []float32, kind string) any {
	if kind != "base64" {
		return v
	}
	data := make([]byte, 0, 4*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(data)
}
