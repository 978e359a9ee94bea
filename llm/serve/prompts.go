package serve

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-acap/acap/text/tokenizer"
)

// mostPrompts bounds the prompts, and the texts of embeddings, of a request.
const mostPrompts = 2048

// plain are the tokens of a prompt, with those that the model wants around.
func (s *Server) plain(text string) ([]int, error) {
	return s.model.Tokenizer().Encode(text, tokenizer.EncodeOptions{Special: true, Whole: true})
}

// prompts reads a text, texts, tokens, or lists of tokens. encode makes tokens of a text.
func (s *Server) prompts(data json.RawMessage, param string, encode func(text string) ([]int, error)) (list [][]int, texts []string, err error) {
	var value any
	if len(data) > 0 {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			return nil, nil, bad(param, "%v", err)
		}
	}
	parts, many := value.([]any)
	if _, numbers := numbersOf(parts); !many || numbers && len(parts) > 0 {
		parts = []any{value}
	}
	if len(parts) < 1 || len(parts) > mostPrompts {
		return nil, nil, bad(param, "%s has %d parts, want 1 to %d", param, len(parts), mostPrompts)
	}
	for _, part := range parts {
		text, ok := part.(string)
		if ok {
			ids, err := encode(text)
			if err != nil {
				return nil, nil, bad(param, "%s: %v", param, err)
			}
			if err := s.known(ids, param); err != nil {
				return nil, nil, err
			}
			list, texts = append(list, ids), append(texts, text)
			continue
		}
		within, _ := part.([]any)
		ids, ok := numbersOf(within)
		if !ok || within == nil {
			return nil, nil, bad(param, "%s is neither text nor tokens, nor a list of these", param)
		}
		if err := s.known(ids, param); err != nil {
			return nil, nil, err
		}
		if text, err = s.model.Tokenizer().Decode(ids, false); err != nil {
			return nil, nil, bad(param, "%s: %v", param, err)
		}
		list, texts = append(list, ids), append(texts, text)
	}
	return list, texts, nil
}

// known refuses tokens that the tokenizer has no text for, or the model no embedding.
func (s *Server) known(ids []int, param string) error {
	most := min(s.model.Tokenizer().Size(), s.model.Vocabulary)
	for _, id := range ids {
		if id < 0 || id >= most {
			return bad(param, "%s has the token %d, there are %d", param, id, most)
		}
	}
	return nil
}

// numbersOf are whole numbers, if all of a list are some.
func numbersOf(list []any) ([]int, bool) {
	out := make([]int, 0, len(list))
	for _, v := range list {
		number, ok := v.(json.Number)
		if !ok {
			return nil, false
		}
		n, err := strconv.Atoi(number.String())
		if err != nil {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}
