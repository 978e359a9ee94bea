package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-acap/acap/text/jinja"
)

// Message is a turn of a chat. Content is empty where there are only calls of tools.
type Message struct {
	Role    string // "system", "user", "assistant" or "tool"
	Content string

	// More is what else the template may look at, by the names of OpenAI's interface, such as tool_calls and
	// tool_call_id.
	More map[string]any
}

// template makes a prompt of a chat, as the model was trained.
type template struct {
	text     string
	compiled *jinja.Template
	special  map[string]string
}

func newTemplate(text string, special map[string]string) (*template, error) {
	t, err := jinja.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the template of chats: %w", err)
	}
	return &template{text, t, special}, nil
}

// reads reports whether the template has a name as a word.
func (t *template) reads(name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(t.text)
}

// writes reports whether the template has a text.
func (t *template) writes(text string) bool { return strings.Contains(t.text, text) }

// TemplateOptions say what stands in a prompt beside the messages.
type TemplateOptions struct {
	Tools    []any          // that the model may call, as OpenAI's interface describes them
	Continue bool           // goes on with the last message, and begins no answer
	More     map[string]any // other names that the template reads, such as enable_thinking
}

// render makes a prompt of messages.
func (t *template) render(messages []Message, o TemplateOptions) (text string, err error) {
	list := make([]any, len(messages))
	for i, m := range messages {
		if list[i], err = m.object(); err != nil {
			return "", fmt.Errorf("message %d: %w", i, err)
		}
	}
	data := map[string]any{"messages": list, "add_generation_prompt": !o.Continue}
	for k, v := range t.special {
		data[k] = v
	}
	data["tools"] = nil
	if len(o.Tools) > 0 {
		data["tools"] = o.Tools
	}
	maps.Copy(data, o.More)
	if text, err = t.compiled.Render(data); err != nil {
		return "", fmt.Errorf("the template of chats: %w", err)
	}
	return text, nil
}

// object is the message as JSON, with the role and the content in front, as clients of OpenAI's interface write them.
func (m *Message) object() (json.RawMessage, error) {
	fields := map[string]any{"role": m.Role, "content": m.Content}
	maps.Copy(fields, m.More)
	names := slices.Sorted(maps.Keys(fields))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "role" || name == "content" })
	var b bytes.Buffer
	for i, name := range append([]string{"role", "content"}, names...) {
		b.WriteByte("{,"[min(i, 1)])
		for k, v := range []any{name, fields[name]} {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			b.WriteString([]string{"", ":"}[k])
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// ErrNoTemplate is the error of a chat with a model that has no template for it.
var ErrNoTemplate = errors.New("llm: the model has no template for chats; it can go on behind a prompt")
