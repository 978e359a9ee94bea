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

// message is a turn of a chat as clients send it.
type message map[string]any

// plain makes a message for the template: parts of text are joined, and other parts refused.
func (m message) plain(i int) (llm.Message, error) {
	out := llm.Message{More: map[string]any{}}
	for k, v := range m {
		switch k {
		case "role":
			out.Role, _ = v.(string)
		case "content":
			text, err := content(v, i)
			if err != nil {
				return out, err
			}
			out.Content = text
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
	if calls, ok := out.More["tool_calls"].([]any); ok {
		out.More["tool_calls"] = withObjects(calls)
	}
	return out, nil
}

// content is the text of a message.
func content(v any, i int) (string, error) { return partsText(v, "messages", "message", i, "text") }

// partsText is the content of a message or item i of a parameter: a text as such, or in parts of some types.
func partsText(v any, param, what string, i int, types ...string) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case []any:
		var b strings.Builder
		for _, part := range v {
			p, _ := part.(map[string]any)
			kind, _ := p["type"].(string)
			member := "text"
			if kind == "refusal" {
				member = kind
			}
			text, ok := p[member].(string)
			if !ok || !slices.Contains(types, kind) {
				return "", bad(param, "%s %d has a part of the type %q; the model reads text", what, i, kind)
			}
			b.WriteString(text)
		}
		return b.String(), nil
	}
	return "", bad(param, "the content of %s %d is neither text nor a list of parts", what, i)
}

// withObjects gives templates the arguments of calls as objects, which clients send as texts.
func withObjects(calls []any) []any {
	out := make([]any, len(calls))
	for i, c := range calls {
		call, _ := c.(map[string]any)
		copied := map[string]any{}
		for k, v := range call {
			copied[k] = v
		}
		if f, ok := call["function"].(map[string]any); ok {
			function := map[string]any{}
			for k, v := range f {
				function[k] = v
			}
			if text, ok := f["arguments"].(string); ok {
				var object map[string]any
				if json.Unmarshal([]byte(text), &object) == nil {
					function["arguments"] = json.RawMessage(text) // in the order of its members
				}
			}
			copied["function"] = function
		}
		out[i] = copied
	}
	return out
}
