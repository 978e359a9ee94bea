package serve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-acap/acap/text/tokenizer"
)

// mostPrompts bounds the prompts, and the texts of embeddings, of a request.
const mostPrompts = 2048

// plain are the tokens of a prompt, with those that the model wants around.
func (s *Server) plain(text string) ([]int, error) {
	return s.model.Tokenizer().Encode(text, tokenizer.EncodeOptions{Special: true, Whole: true})
}

// prompts reads a prompt or a list of prompts. A prompt is a text, tokens, a list of both, or an object with the text as
// prompt_string, as llama-server takes them. encode makes tokens of a text.
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
	if !many || slices.ContainsFunc(parts, isNumber) {
		parts = []any{value}
	}
	if len(parts) < 1 || len(parts) > mostPrompts {
		return nil, nil, bad(param, "%s has %d parts, want 1 to %d", param, len(parts), mostPrompts)
	}
	for _, part := range parts {
		ids, text, err := s.promptOf(part, param, encode)
		if err != nil {
			return nil, nil, err
		}
		if err := s.known(ids, param); err != nil {
			return nil, nil, err
		}
		if text == "" {
			if text, err = s.model.Tokenizer().Decode(ids, false); err != nil {
				return nil, nil, bad(param, "%s: %v", param, err)
			}
		}
		list, texts = append(list, ids), append(texts, text)
	}
	return list, texts, nil
}

// promptOf is the tokens of a prompt, with the text where the prompt is one.
func (s *Server) promptOf(part any, param string, encode func(text string) ([]int, error)) ([]int, string, error) {
	if object, ok := part.(map[string]any); ok {
		if more, _ := object["multimodal_data"].([]any); len(more) > 0 {
			return nil, "", bad(param, "%s has multimodal_data; the model reads text", param)
		}
		if part, ok = object["prompt_string"].(string); !ok {
			return nil, "", bad(param, "%s is an object without a text prompt_string", param)
		}
	}
	if text, ok := part.(string); ok {
		ids, err := encode(text)
		if err != nil {
			return nil, "", bad(param, "%s: %v", param, err)
		}
		return ids, text, nil
	}
	within, _ := part.([]any)
	if within == nil {
		return nil, "", bad(param, "%s is neither text nor tokens, nor a list of these", param)
	}
	ids, err := mixed(within, param, func(text string, first bool) ([]int, error) {
		if first {
			return encode(text)
		}
		return s.model.Tokenizer().Encode(text, tokenizer.EncodeOptions{Whole: true})
	})
	return ids, "", err
}

// mixed is the tokens of a list of tokens and texts. encode makes tokens of a text, which may be the first of the list.
func mixed(list []any, param string, encode func(text string, first bool) ([]int, error)) ([]int, error) {
	out := make([]int, 0, len(list))
	for i, v := range list {
		if text, ok := v.(string); ok {
			ids, err := encode(text, i == 0)
			if err != nil {
				return nil, bad(param, "%s: %v", param, err)
			}
			out = append(out, ids...)
			continue
		}
		number, _ := v.(json.Number)
		id, err := strconv.Atoi(number.String())
		if err != nil {
			return nil, bad(param, "%s is neither text nor tokens, nor a list of these", param)
		}
		out = append(out, id)
	}
	return out, nil
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
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
