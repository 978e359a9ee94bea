package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ardanlabs/jinja"
)

// Message is a turn of a chat. Content is text, or nil where there are only calls of tools.
type Message struct {
	Role    string // "system", "user", "assistant" or "tool"
	Content string

	// More is what else the template may look at, by the names of OpenAI's interface, such as tool_calls and
	// tool_call_id.
	More map[string]any
}

// template makes a prompt of a chat, as the model was trained.
type template struct {
	compiled *jinja.Template
	special  map[string]string
}

func newTemplate(text string, special map[string]string) (*template, error) {
	t, err := jinja.Compile(spelled(text))
	if err != nil {
		return nil, fmt.Errorf("the template of chats: %w", err)
	}
	return &template{t, special}, nil
}

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
			return "", err
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
	// Values are those that JSON has, whatever types the caller uses; objects keep the order of a json.RawMessage.
	values := map[string]jinja.Value{jsonFilter: jinja.NewCallable(jsonFilter, toJSON)}
	for k, v := range data {
		plain, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		d := json.NewDecoder(bytes.NewReader(plain))
		d.UseNumber()
		if values[k], err = ordered(d); err != nil {
			return "", err
		}
	}
	defer func() { // templates come with files
		if p := recover(); p != nil {
			err = fmt.Errorf("the template of chats: %v", p)
		}
	}()
	return t.compiled.RenderValues(values)
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

// jsonFilter is the name under which templates find [toJSON].
const jsonFilter = "json_in_order"

// plainJSON writes a value by the filter of the engine, whose indented form loses the order of members.
var plainJSON = sync.OnceValues(func() (*jinja.Template, error) {
	return jinja.Compile(`{{ value | tojson(separators=separators) }}`)
})

// toJSON is the filter tojson, with members in their order.
func toJSON(args []jinja.Value, named map[string]jinja.Value) (jinja.Value, error) {
	if len(args) == 0 {
		return jinja.Undefined(), errors.New("tojson: there is no value")
	}
	t, err := plainJSON()
	if err != nil {
		return jinja.Undefined(), err
	}
	separators, given := named["separators"]
	if !given || separators.IsNone() {
		separators = jinja.NewList([]jinja.Value{jinja.NewString(", "), jinja.NewString(": ")})
	}
	text, err := t.RenderValues(map[string]jinja.Value{"value": args[0], "separators": separators})
	indent, given := named["indent"]
	if err != nil || !given || !indent.IsInt() {
		return jinja.NewString(text), err
	}
	var b bytes.Buffer
	err = json.Indent(&b, []byte(text), "", strings.Repeat(" ", int(max(0, min(indent.AsInt(), 100)))))
	return jinja.NewString(b.String()), err
}

// ordered reads a value, with the members of objects in their order.
func ordered(d *json.Decoder) (jinja.Value, error) {
	token, err := d.Token()
	if err != nil {
		return jinja.Undefined(), err
	}
	switch t := token.(type) {
	case nil:
		return jinja.None(), nil
	case bool:
		return jinja.NewBool(t), nil
	case string:
		return jinja.NewString(t), nil
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return jinja.NewInt(n), nil
		}
		f, err := t.Float64()
		return jinja.NewFloat(f), err
	case json.Delim:
		if t == '[' {
			var items []jinja.Value
			for d.More() {
				v, err := ordered(d)
				if err != nil {
					return v, err
				}
				items = append(items, v)
			}
			_, err := d.Token()
			return jinja.NewList(items), err
		}
	}
	object := jinja.NewDict()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return object, err
		}
		v, err := ordered(d)
		if err != nil {
			return object, err
		}
		name, _ := key.(string)
		object.AsDict().Set(name, v)
	}
	_, err = d.Token()
	return object, err
}

// ErrNoTemplate is the error of a chat with a model that has no template for it.
var ErrNoTemplate = errors.New("llm: the model has no template for chats; it can go on behind a prompt")
