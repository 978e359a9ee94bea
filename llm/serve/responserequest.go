package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// responseRequest is the body of a request for a response. The names of chats that have another name here are refused.
type responseRequest struct {
	sampling
	Input        json.RawMessage   `json:"input"`
	Instructions *string           `json:"instructions"`
	Tools        []json.RawMessage `json:"tools"`
	Choice       json.RawMessage   `json:"tool_choice"`
	Parallel     *bool             `json:"parallel_tool_calls"`
	MaxTokens    *int              `json:"max_output_tokens"`
	Top          int               `json:"top_logprobs"`
	Include      []string          `json:"include"`
	More         map[string]any    `json:"chat_template_kwargs"`
	Truncation   *string           `json:"truncation"`
	Previous     any               `json:"previous_response_id"`
	Conversation any               `json:"conversation"`
	Prompt       any               `json:"prompt"`
	Background   bool              `json:"background"`
	Text         struct {
		Format *struct {
			Type        string          `json:"type"`
			Name        string          `json:"name"`
			Description *string         `json:"description"`
			Strict      *bool           `json:"strict"` // answers are of the schema in any case
			Schema      json.RawMessage `json:"schema"`
		} `json:"format"`
		Verbosity *string `json:"verbosity"`
	} `json:"text"`
	Reasoning struct {
		Effort   *string `json:"effort"`
		Summary  *string `json:"summary"`
		Summary2 *string `json:"generate_summary"` // the same under an older name
	} `json:"reasoning"`
}

const wantsLogprobs, wantsReasoning = "message.output_text.logprobs", "reasoning.encrypted_content"

// check refuses what no response can have.
func (q *responseRequest) check() error {
	for _, c := range []struct {
		asked       bool
		param, text string
	}{
		{q.Previous != nil, "previous_response_id", "previous_response_id is not supported: no response is kept; input takes the items of earlier turns"},
		{q.Conversation != nil, "conversation", "conversation is not supported: no response is kept; input takes the items of earlier turns"},
		{q.Prompt != nil, "prompt", "prompt is not supported: no prompts are kept; input and instructions take texts"},
		{q.Background, "background", "background is true; no response is kept to be asked for later"},
		{q.Truncation != nil && *q.Truncation != "disabled", "truncation", "truncation can be disabled alone: no items are left out of the input"},
		{q.sampling.MaxTokens != nil, "max_tokens", "max_tokens is a name of chats; here it is max_output_tokens"},
		{q.Format != nil, "response_format", "response_format is a name of chats; here it is text.format"},
		{q.N != nil && *q.N != 1, "n", "n is not 1; a request has one response"},
	} {
		if c.asked {
			return bad(c.param, "%s", c.text)
		}
	}
	for _, name := range q.Include {
		if name != wantsLogprobs && name != wantsReasoning { // reasoning is there without encryption
			return bad("include", "include has %q; there are %s and %s", name, wantsLogprobs, wantsReasoning)
		}
	}
	if s := cmp.Or(q.Reasoning.Summary, q.Reasoning.Summary2); s != nil && *s != "auto" {
		return bad("reasoning.summary", "reasoning.summary is %q; there is auto: reasoning is not summarised, and stands in the content of its item", *s)
	}
	return nil
}

// chat makes the request for a turn of a chat with the same answer.
func (q *responseRequest) chat() (*chatRequest, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	c := &chatRequest{sampling: q.sampling, Choice: chatChoice(q.Choice), Parallel: q.Parallel, MaxTokens: q.MaxTokens, Top: q.Top, More: q.More,
		Effort: q.Reasoning.Effort, Verbosity: q.Text.Verbosity, Continue: new(bool)} // a response is a turn of its own
	c.Logprobs = q.Top != 0
	for _, name := range q.Include {
		c.Logprobs = c.Logprobs || name == wantsLogprobs
	}
	if f := q.Text.Format; f != nil {
		c.Format = &format{Type: f.Type, Schema: f.Schema}
	}
	for _, t := range q.Tools {
		c.Tools = append(c.Tools, chatTool(t))
	}
	if q.Instructions != nil {
		c.Messages = append(c.Messages, message{"role": "system", "content": *q.Instructions})
	}
	turns, err := chatMessages(q.Input)
	c.Messages = append(c.Messages, turns...)
	return c, err
}

// chatTool describes a function as chats do, in an object of its own. Another tool stays as it is.
func chatTool(tool json.RawMessage) json.RawMessage {
	var t struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description json.RawMessage `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	}
	if json.Unmarshal(tool, &t) != nil || t.Type != "function" {
		return tool
	}
	type function struct {
		Name        string          `json:"name"`
		Description json.RawMessage `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
		Strict      bool            `json:"strict,omitempty"`
	}
	data, err := json.Marshal(map[string]any{"type": t.Type, "function": function{t.Name, present(t.Description), present(t.Parameters), t.Strict}})
	if err != nil {
		return tool
	}
	return data
}

// present is a value in JSON, and nothing for null.
func present(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// chatChoice is the choice of tools in the words of chats, where functions are objects of their own. Another choice
// stays as it is.
func chatChoice(choice json.RawMessage) json.RawMessage {
	var c struct {
		Type  string            `json:"type"`
		Mode  string            `json:"mode"`
		Tools []json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(choice, &c) != nil {
		return choice
	}
	switch c.Type {
	case "function":
		return chatTool(choice)
	case "allowed_tools":
		for i, t := range c.Tools {
			c.Tools[i] = chatTool(t)
		}
		data, err := json.Marshal(map[string]any{"type": c.Type, "allowed_tools": map[string]any{"mode": c.Mode, "tools": c.Tools}})
		if err == nil {
			return data
		}
	}
	return choice
}

// responseNames are what a request for a response calls the parameters of a chat.
var responseNames = map[string]string{"messages": "input", "max_completion_tokens": "max_output_tokens", "reasoning_effort": "reasoning.effort",
	"response_format": "text.format", "verbosity": "text.verbosity"}

// inResponse is an error of a chat in the words of a request for a response.
func inResponse(err error) error {
	var e *requestError
	if !errors.As(err, &e) || responseNames[e.param] == "" {
		return err
	}
	name := responseNames[e.param]
	return &requestError{e.status, e.code, name, strings.Replace(e.text, e.param, name, 1)}
}
