package serve

import (
	"cmp"
	"net/http"
	"slices"
)

// rerankRequest asks for documents by how well they answer a query.
type rerankRequest struct {
	Model     string   `json:"model"`
	Query     *string  `json:"query"`
	Documents []string `json:"documents"`
	Texts     []string `json:"texts"` // documents as clients of Hugging Face's TEI name these, who want a list
	Top       *int     `json:"top_n"`
	Full      bool     `json:"return_documents"`
	FullText  bool     `json:"return_text"`
	idle
}

// list returns the documents, and the name of the parameter that has them.
func (q *rerankRequest) list() (documents []string, param string, err error) {
	documents, param = q.Documents, "documents"
	if q.Texts != nil {
		documents, param = q.Texts, "texts"
	}
	switch {
	case q.Query == nil:
		err = bad("query", "query is wanted, the text that documents are to answer")
	case q.Documents != nil && q.Texts != nil:
		err = bad("texts", "documents and texts are two names of one list; leave one of them out")
	case len(documents) < 1 || len(documents) > mostPrompts:
		err = bad(param, "%s has %d texts, want 1 to %d", param, len(documents), mostPrompts)
	case q.Top != nil && *q.Top < 1:
		err = bad("top_n", "top_n is %d, want at least 1", *q.Top)
	}
	return documents, param, err
}

// result is the answer for document i.
func (q *rerankRequest) result(i int, document string, score float32) map[string]any {
	one := map[string]any{"index": i, "relevance_score": score}
	if q.Texts != nil {
		one = map[string]any{"index": i, "score": score}
	}
	if q.Full {
		one["document"] = map[string]any{"text": document}
	}
	if q.FullText {
		one["text"] = document
	}
	return one
}

// rerank answers /v1/rerank: documents by how well they answer a query, the best first.
func (s *Server) rerank(w http.ResponseWriter, r *http.Request) error {
	var q rerankRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	if err := s.serves(q.Model); err != nil {
		return err
	}
	if !s.model.Ranks() {
		return &requestError{http.StatusNotImplemented, "not_supported", "model", "the model scores no pairs of texts"}
	}
	documents, param, err := q.list()
	if err != nil {
		return err
	}
	count, order, scores := 0, make([]int, len(documents)), make([]float32, len(documents))
	for i, text := range documents {
		if err := r.Context().Err(); err != nil {
			return err
		}
		tokens, err := s.model.EncodePair(*q.Query, text)
		if err != nil {
			return bad(param, "text %d of %s: %v", i, param, err)
		}
		if most := s.model.Limit(); len(tokens) > most {
			return tooLong(param, "the query and text %d of %s have %d tokens, want up to %d", i, param, len(tokens), most)
		}
		if scores[i], err = s.model.RankTokens(tokens); err != nil {
			return err
		}
		order[i] = i
		count += len(tokens)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	if q.Top != nil {
		order = order[:min(*q.Top, len(order))]
	}
	results := []any{}
	for _, i := range order {
		results = append(results, q.result(i, documents[i], scores[i]))
	}
	if q.Texts != nil {
		answer(w, http.StatusOK, results)
		return nil
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "model": s.options.Name, "results": results,
		"usage": map[string]int{"prompt_tokens": count, "total_tokens": count}})
	return nil
}
