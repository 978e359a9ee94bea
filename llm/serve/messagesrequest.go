package serve

import (
	"encoding/json"
	"fmt"
	"strings"
)

// messagesRequest is the body of a request of Anthropic's interface.
type messagesRequest struct {
	Model       string           `json:"model"`
	System      json.RawMessage  `json:"system"`
	Messages    []blockedMessage `json:"messages"`
	MaxTokens   *int             `json:"max_tokens"`
	Stop        texts            `json:"stop_sequences"`
	Stream      bool             `json:"stream"`
	Temperature *float64         `json:"temperature"`
	TopP        *float64         `json:"top_p"`
	TopK        *int             `json:"top_k"`
	Metadata    any              `json:"metadata"`     // changes no answer
	Tier        any              `json:"service_tier"` // changes no answer
	Tools       []struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"input_schema"`
		Cache       any             `json:"cache_control"`
	} `json:"tools"`
	Choice struct {
		Type string `json:"type"`
		Name string `json:"name"`
		One  bool   `json:"disable_parallel_tool_use"`
	} `json:"tool_choice"`
	Thinking struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens"`
	} `json:"thinking"`
}

// blockedMessage is a turn, whose content is a text or a list of blocks.
type blockedMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// block is a part of a turn.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Call     string          `json:"tool_use_id"`
	Content  json.RawMessage `json:"content"` // of a result of a tool
}

// blocks reads a content. Errors are those of a parameter of the request, and name the content's owner.
func blocks(param, owner string, data json.RawMessage) (list []block, err error) {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return []block{{Type: "text", Text: text}}, nil
	}
	if json.Unmarshal(data, &list) != nil {
		return nil, bad(param, "the content of %s is neither a text nor a list of blocks", owner)
	}
	return list, nil
}

// textOf joins the texts of a content of text alone.
func textOf(param, owner string, data json.RawMessage) (string, error) {
	if len(data) == 0 || string(data) == "null" {
		return "", nil
	}
	list, err := blocks(param, owner, data)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, b := range list {
		if b.Type != "text" {
			return "", bad(param, "%s has a block of the type %q; the model reads text", owner, b.Type)
		}
		lines = append(lines, b.Text)
	}
	return strings.Join(lines, "\n"), nil
}

// chat is the request in the form of OpenAI's interface.
func (q *messagesRequest) chat() (*chatRequest, error) {
	c := &chatRequest{sampling: sampling{Model: q.Model, MaxTokens: q.MaxTokens, Stop: q.Stop, Stream: q.Stream,
		Temperature: q.Temperature, TopP: q.TopP, TopK: q.TopK}}
	switch q.Thinking.Type {
	case "":
	case "disabled":
		c.More = map[string]any{"enable_thinking": false}
	default:
		return nil, bad("thinking", "thinking is %q; a budget for reasoning is not held, and models reason as their templates say", q.Thinking.Type)
	}
	system, err := textOf("system", "system", q.System)
	if err != nil {
		return nil, err
	}
	if system != "" {
		c.Messages = append(c.Messages, message{"role": "system", "content": system})
	}
	for i, m := range q.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, bad("messages", "message %d has the role %q; there are user and assistant", i, m.Role)
		}
		turns, err := m.turns(i)
		if err != nil {
			return nil, err
		}
		c.Messages = append(c.Messages, turns...)
	}
	for i, t := range q.Tools {
		if t.Type != "" && t.Type != "custom" {
			return nil, bad("tools", "tool %d is of the type %q; a model calls tools of the type custom", i, t.Type)
		}
		described := map[string]any{"name": t.Name}
		if t.Description != "" {
			described["description"] = t.Description
		}
		if len(t.Parameters) > 0 {
			described["parameters"] = t.Parameters
		}
		data, err := json.Marshal(map[string]any{"type": "function", "function": described})
		if err != nil {
			return nil, bad("tools", "tool %d: %v", i, err)
		}
		c.Tools = append(c.Tools, data)
	}
	parallel := !q.Choice.One
	c.Parallel = &parallel
	switch word, known := map[string]string{"": `"auto"`, "auto": `"auto"`, "any": `"required"`, "none": `"none"`}[q.Choice.Type]; {
	case known:
		c.Choice = json.RawMessage(word)
	case q.Choice.Type == "tool":
		if c.Choice, err = json.Marshal(map[string]any{"type": "function", "function": map[string]any{"name": q.Choice.Name}}); err != nil {
			return nil, err
		}
	default:
		return nil, bad("tool_choice", "tool_choice is of the type %q; there are auto, any, none and tool", q.Choice.Type)
	}
	return c, nil
}

// turns are the messages of a turn of a number: results of tools are messages of their own.
func (m *blockedMessage) turns(number int) (list []message, err error) {
	owner := fmt.Sprintf("message %d", number)
	content, err := blocks("messages", owner, m.Content)
	if err != nil {
		return nil, err
	}
	var said, calls []any
	thought := ""
	for _, b := range content {
		switch {
		case b.Type == "text":
			said = append(said, map[string]any{"type": "text", "text": b.Text})
		case b.Type == "thinking" && m.Role == "assistant":
			thought += b.Thinking
		case b.Type == "tool_use" && m.Role == "assistant":
			calls = append(calls, map[string]any{"id": b.ID, "type": "function", "function": map[string]any{"name": b.Name, "arguments": string(b.Input)}})
		case b.Type == "tool_result" && m.Role == "user":
			text, err := textOf("messages", fmt.Sprintf("the result %q of a tool in %s", b.Call, owner), b.Content)
			if err != nil {
				return nil, err
			}
			list = append(list, message{"role": "tool", "tool_call_id": b.Call, "content": text})
		default:
			return nil, bad("messages", "%s, of the role %q, has a block of the type %q, which is not read", owner, m.Role, b.Type)
		}
	}
	if said == nil && calls == nil && thought == "" {
		return list, nil
	}
	turn := message{"role": m.Role, "content": nil}
	switch {
	case len(said) == 1:
		turn["content"] = said[0].(map[string]any)["text"]
	case said != nil:
		turn["content"] = said
	}
	if thought != "" {
		turn["reasoning_content"] = thought
	}
	if calls != nil {
		data, err := json.Marshal(calls)
		if err != nil {
			return nil, err
		}
		turn["tool_calls"] = json.RawMessage(data)
	}
	return append(list, turn), nil
}
