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
	if err := s.serves(q.Model); err != nil {
		return err
	}
	if q.Format != "" && q.Format != "float" && q.Format != "base64" {
		return bad("encoding_format", "encoding_format is %q; there are float and base64", q.Format)
	}
	if s.model.Ranks() {
		return bad("model", "the model scores pairs of texts, at /v1/rerank, and makes no vectors")
	}
	width := s.model.EmbeddingWidth()
	if q.Dimensions != nil {
		if width = *q.Dimensions; width < 1 || width > s.model.EmbeddingWidth() {
			return bad("dimensions", "dimensions is %d, want 1 to %d", width, s.model.EmbeddingWidth())
		}
	}
	prompts, _, err := s.prompts(q.Input, "input", s.model.EncodeText)
	if err != nil {
		return err
	}
	var data []any
	count := 0
	for i, p := range prompts {
		if err := r.Context().Err(); err != nil {
			return err
		}
		switch most := s.model.Limit(); {
		case len(p) == 0:
			return bad("input", "part %d of input has no token, want 1 to %d", i, most)
		case len(p) > most:
			return tooLong("input", "part %d of input has %d tokens, want 1 to %d", i, len(p), most)
		}
		v, err := s.model.EmbedTokens(p)
		if err != nil {
			return err
		}
		count += len(p)
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": encoded(embedding.Shortened(v, width), q.Format)})
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "data": data, "model": s.options.Name,
		"usage": map[string]int{"prompt_tokens": count, "total_tokens": count}})
	return nil
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
