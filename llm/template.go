package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/text/jinja"
)

// Message is a turn of a chat. Content is empty where there are only calls of tools.
type Message struct {
	Role    string // "system", "user", "assistant" or "tool"
	Content string

	// Parts are the texts of a content of several, which stand in place of Content: a template that reads parts is
	// given parts, and another one a text of lines.
	Parts []string

	// More has further values that the template may look at, by the names of OpenAI's interface, such as tool_calls and
	// tool_call_id. The arguments of calls are an object or a text in JSON; the template is given the form that it
	// reads.
	More map[string]any
}

// template makes a prompt of a chat, as the model was trained.
type template struct {
	text     string
	compiled *jinja.Template
	special  map[string]string
	reading  func() reading
}

func newTemplate(text string, special map[string]string) (*template, error) {
	t, err := jinja.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the template of chats: %w", err)
	}
	made := &template{text: text, compiled: t, special: special}
	made.reading = sync.OnceValue(made.try)
	return made, nil
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
	Ends     bool           // the prompt ends with the messages, and no answer begins
	Continue bool           // the prompt ends with the text of the last message, the assistant's, and the answer goes on with the text
	More     map[string]any // other names that the template reads, such as enable_thinking
}

// render makes a prompt of messages.
func (t *template) render(messages []Message, o TemplateOptions) (string, error) {
	if o.Continue {
		return t.goOn(messages, o)
	}
	return t.write(messages, o, t.reading())
}

// goOn makes a prompt that ends with the text of the last message. Of a message without content this is the reasoning.
func (t *template) goOn(messages []Message, o TemplateOptions) (string, error) {
	end := len(messages) - 1
	if end < 0 || messages[end].Role != "assistant" {
		return "", errors.New("an answer goes on with a message of the assistant, which is the last one")
	}
	m := messages[end]
	m.Content, m.Parts, m.More = m.Content+trial, slices.Clone(m.Parts), maps.Clone(m.More)
	if thought := m.Reasoning(); thought != "" && m.Content == trial && m.Parts == nil {
		m.Content, m.More["reasoning_content"] = "", thought+trial
	}
	if n := len(m.Parts); n > 0 {
		m.Parts[n-1] += trial
	}
	text, err := t.write(append(slices.Clone(messages[:end]), m), o, t.reading())
	if err != nil {
		return "", err
	}
	at := strings.LastIndex(text, trial)
	if at < 0 {
		return "", errors.New("the template of chats does not write the text of the last message, so that no answer goes on with the text")
	}
	return text[:at], nil
}

// Reasoning is the reasoning in front of the content, which is in More.
func (m *Message) Reasoning() (text string) {
	if data, err := asJSON(m.More["reasoning_content"]); err == nil {
		_ = json.Unmarshal(data, &text) // what is no text is no reasoning
	}
	return text
}

// write makes a prompt of messages for a way of reading.
func (t *template) write(messages []Message, o TemplateOptions, r reading) (text string, err error) {
	list := make([]any, len(messages))
	for i, m := range messages {
		if list[i], err = m.object(r); err != nil {
			return "", fmt.Errorf("message %d: %w", i, err)
		}
	}
	data := map[string]any{"messages": list, "add_generation_prompt": !o.Continue && !o.Ends}
	for k, v := range t.special {
		data[k] = v
	}
	data["tools"] = r.tools
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
func (m *Message) object(r reading) (json.RawMessage, error) {
	fields := map[string]any{"role": m.Role, "content": m.content(r)}
	maps.Copy(fields, m.More)
	if thought, ok := fields["reasoning_content"]; ok && m.Content == "" && m.Parts == nil && fields["thinking"] == nil {
		fields["thinking"] = thought // as the template of GPT-OSS calls reasoning in front of calls
	}
	names := slices.Sorted(maps.Keys(fields))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "role" || name == "content" })
	var list []member
	for _, name := range append([]string{"role", "content"}, names...) {
		value, err := asJSON(fields[name])
		if err != nil {
			return nil, err
		}
		if name == "tool_calls" {
			value = callsFor(value, r.texts)
		}
		list = append(list, member{name, value})
	}
	return objectOf(list), nil
}

// content is the text of a message, or its parts for a template that reads parts.
func (m *Message) content(r reading) any {
	texts := m.Parts
	if texts == nil {
		texts = []string{m.Content}
	}
	if !r.lists && (m.Parts == nil || !slices.Contains(r.parts, m.Role)) {
		return strings.Join(texts, "\n")
	}
	list := []any{}
	for _, text := range texts {
		list = append(list, map[string]any{"type": "text", "text": text})
	}
	return list
}

// ErrNoTemplate is the error of a chat with a model that has no template for it.
var ErrNoTemplate = errors.New("llm: the model has no template for chats; it can go on behind a prompt")
