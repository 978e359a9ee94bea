package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-acap/acap/text/tokenizer"
)

// tokenize answers /tokenize: the tokens of a text, as llama-server gives them.
func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Content json.RawMessage `json:"content"`
		Special bool            `json:"add_special"`
		Parse   *bool           `json:"parse_special"`
		Pieces  bool            `json:"with_pieces"`
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	t, content := s.model.Tokenizer(), []any{""}
	if one := ""; len(q.Content) > 0 && json.Unmarshal(q.Content, &one) == nil {
		content[0] = one
	} else if len(q.Content) > 0 {
		d := json.NewDecoder(bytes.NewReader(q.Content))
		d.UseNumber()
		if err := d.Decode(&content); err != nil {
			return bad("content", "content is neither text nor tokens, nor a list of these")
		}
	}
	ids, err := mixed(content, "content", func(text string, first bool) ([]int, error) {
		return t.Encode(text, tokenizer.EncodeOptions{Special: q.Special && first, Literal: q.Parse != nil && !*q.Parse, Whole: true})
	})
	if err == nil {
		err = s.known(ids, "content")
	}
	if err != nil {
		return err
	}
	list := make([]any, len(ids))
	for i, id := range ids {
		if list[i] = id; q.Pieces {
			list[i] = map[string]any{"id": id, "piece": pieceOf(t.Text(id))}
		}
	}
	answer(w, http.StatusOK, map[string]any{"tokens": list})
	return nil
}

// pieceOf is the text of a token, or its bytes as numbers where they are a part of a character.
func pieceOf(text string) any {
	if utf8.ValidString(text) {
		return text
	}
	return bytesOf(text)
}

// bytesOf are the bytes of a text as numbers.
func bytesOf(text string) []int {
	list := make([]int, len(text))
	for i := range len(text) {
		list[i] = int(text[i])
	}
	return list
}

// detokenize answers /detokenize: the texts of tokens one behind another, the names of special tokens among them. A
// space that begins the first token stays, so that texts of parts of a list make the text of the list.
func (s *Server) detokenize(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Tokens []int `json:"tokens"`
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	if err := s.known(q.Tokens, "tokens"); err != nil {
		return err
	}
	var text strings.Builder
	for _, id := range q.Tokens {
		text.WriteString(s.model.Tokenizer().Text(id))
	}
	answer(w, http.StatusOK, map[string]any{"content": text.String()}) // JSON has U+FFFD for bytes of no character
	return nil
}

// applyTemplate answers /apply-template: the prompt that /v1/chat/completions makes of a request.
func (s *Server) applyTemplate(w http.ResponseWriter, r *http.Request) error {
	var q chatRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return err
	}
	if q.Tools, err = chosenTools(q.Tools, q.Choice, &o, s.model.ReplySyntax().Tagged()); err != nil {
		return err
	}
	q.alone = true
	text, _, err := s.chatPrompt(&q)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, map[string]any{"prompt": text})
	return nil
}
