package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/ardanlabs/jinja"
)

// Message is a turn of a chat. Content is text, or nil where there are only calls of tools.
type Message struct {
	Role    string // "system", "user", "assistant" or "tool"
	Content string

	// More is what else the template may look at, by the names of OpenAI's interface, such as tool_calls and tool_call_id.
	More map[string]any
}

// Template makes a prompt of a chat, as the model was trained.
type Template struct {
	compiled *jinja.Template
	special  map[string]string
	source   string
}

func newTemplate(text string, special map[string]string) (*Template, error) {
	t, err := jinja.Compile(text)
	if err != nil {
		return nil, err
	}
	return &Template{t, special, text}, nil
}

// TemplateOptions say what stands in a prompt beside the messages.
type TemplateOptions struct {
	Tools    []any          // that the model may call, as OpenAI's interface describes them
	Continue bool           // goes on with the last message, and begins no answer
	More     map[string]any // other names that the template reads, such as enable_thinking
}

// Render makes a prompt of messages.
func (t *Template) Render(messages []Message, o TemplateOptions) (text string, err error) {
	list := make([]any, len(messages))
	for i, m := range messages {
		fields := map[string]any{"role": m.Role, "content": m.Content}
		maps.Copy(fields, m.More)
		list[i] = fields
	}
	data := map[string]any{"messages": list, "add_generation_prompt": !o.Continue}
	for k, v := range t.special {
		data[k] = v
	}
	if len(o.Tools) > 0 {
		data["tools"] = o.Tools
	} else {
		data["tools"] = nil
	}
	maps.Copy(data, o.More)
	// Numbers, lists and objects are those that JSON has, whatever types the caller uses.
	plain, err := json.Marshal(data)
	if err != nil {
		return "", err
	}
	clear(data)
	if err := json.Unmarshal(plain, &data); err != nil {
		return "", err
	}
	defer func() { // templates come with files
		if p := recover(); p != nil {
			err = fmt.Errorf("the template of chats: %v", p)
		}
	}()
	return t.compiled.Render(data)
}

// ErrNoTemplate is the error of a chat with a model that has no template for it.
var ErrNoTemplate = errors.New("llm: the model has no template for chats; it can go on behind a prompt")
