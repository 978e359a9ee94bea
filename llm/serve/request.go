package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm"
)

// format says that an answer is JSON.
type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
	Named  struct {
		Name, Description string
		Strict            *bool // answers are of the schema in any case
		Schema            json.RawMessage
	} `json:"json_schema"`
}

// texts is a text or a list of texts.
type texts []string

// UnmarshalJSON reads either.
func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		if string(data) != "null" {
			*t = texts{one}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// serves refuses the name of another model. A request may leave the name out.
func (s *Server) serves(model string) error {
	if model == "" || model == s.options.Name {
		return nil
	}
	return &requestError{http.StatusNotFound, "model_not_found", "model", fmt.Sprintf("there is no model %q; there is %q", model, s.options.Name)}
}

// message is a turn of a chat as clients send it: the role and the content as values, and other members as JSON in the
// order in which they came.
type message map[string]any

// UnmarshalJSON reads an object.
func (m *message) UnmarshalJSON(data []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*m = message{}
	for name, value := range members {
		(*m)[name] = value
		if name == "role" || name == "content" {
			var v any
			if err := json.Unmarshal(value, &v); err != nil {
				return err
			}
			(*m)[name] = v
		}
	}
	return nil
}

// plain makes a message for the template: parts that are no text are refused.
func (m message) plain(i int) (llm.Message, error) {
	out := llm.Message{More: map[string]any{}}
	for k, v := range m {
		switch k {
		case "role":
			out.Role, _ = v.(string)
		case "content":
			texts, err := partTexts(v, "messages", "message", i, "text")
			if err != nil {
				return out, err
			}
			if _, parts := v.([]any); parts {
				out.Parts = texts
			} else {
				out.Content = strings.Join(texts, "")
			}
		default:
			out.More[k] = v
		}
	}
	if out.Role == "developer" {
		out.Role = "system"
	}
	if out.Role == "" {
		return out, bad("messages", "message %d has no role", i)
	}
	if m["content"] == nil && out.Role != "assistant" { // whose message may be reasoning and calls alone
		return out, bad("messages", "message %d has no content", i)
	}
	return out, nil
}

// partTexts are the texts of the content of a message or item i of a parameter: a text as such, or parts of some types.
func partTexts(v any, param, what string, i int, types ...string) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{v}, nil
	case []any:
		list := []string{}
		for _, part := range v {
			p, _ := part.(map[string]any)
			kind, _ := p["type"].(string)
			member := "text"
			if kind == "refusal" {
				member = kind
			}
			text, ok := p[member].(string)
			if !ok || !slices.Contains(types, kind) {
				return nil, bad(param, "%s %d has a part of the type %q; the model reads text", what, i, kind)
			}
			list = append(list, text)
		}
		return list, nil
	}
	return nil, bad(param, "the content of %s %d is neither text nor a list of parts", what, i)
}
