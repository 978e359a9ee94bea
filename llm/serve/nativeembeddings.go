package serve

import (
	"encoding/json"
	"math"
	"net/http"
)

// embedNative answers /embedding and /embeddings as llama-server does: the vector of each text, with a length of the
// request's, or the rows of all tokens where the model says that nothing is pooled.
func (s *Server) embedNative(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
		Input   json.RawMessage `json:"input"`
		Format  string          `json:"encoding_format"`
		Norm    *int            `json:"embd_normalize"`
		idle
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	text, param := q.Content, "content"
	if q.Input != nil {
		text, param = q.Input, "input"
	}
	norm := 2
	switch {
	case q.Content != nil && q.Input != nil:
		return bad("input", "content and input are two names of one list; leave one of them out")
	case q.Norm != nil:
		norm = *q.Norm
	}
	var list []any
	_, err := s.embedEach(r, q.Model, q.Format, text, param, func(i int, tokens []int) error {
		var rows []any
		if !s.model.Pools() {
			all, err := s.model.EmbedRows(tokens)
			for _, row := range all {
				rows = append(rows, encoded(row, q.Format))
			}
			list = append(list, map[string]any{"index": i, "embedding": rows})
			return err
		}
		v, err := s.model.Pooled(tokens)
		normed(v, norm)
		list = append(list, map[string]any{"index": i, "embedding": append(rows, encoded(v, q.Format))})
		return err
	})
	if err == nil {
		answer(w, http.StatusOK, list)
	}
	return err
}

// normed divides a vector by its norm: 1 for the sum of its numbers, 2 for its length, and so on; 0 makes the largest
// number 32760, and a negative norm changes nothing.
func normed(v []float32, norm int) {
	sum := 0.0
	for _, x := range v {
		if a := math.Abs(float64(x)); norm == 0 {
			sum = max(sum, a/32760)
		} else {
			sum += math.Pow(a, float64(norm))
		}
	}
	if norm > 0 {
		sum = math.Pow(sum, 1/float64(norm))
	}
	if norm < 0 || sum == 0 {
		return
	}
	for i, x := range v {
		v[i] = float32(float64(x) / sum)
	}
}
