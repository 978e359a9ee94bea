package llm

import (
	"bytes"
	"encoding/json"
	"slices"
)

// member is a member of an object in JSON.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf are the members of an object in their order; ok is false for what is no object.
func membersOf(data json.RawMessage) (list []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		t, err := d.Token()
		name, named := t.(string)
		var value json.RawMessage
		if err != nil || !named || d.Decode(&value) != nil {
			return nil, false
		}
		list = append(list, member{name, value})
	}
	return list, true
}

// objectOf is the object of members in this order.
func objectOf(list []member) json.RawMessage {
	var b bytes.Buffer
	for i, m := range list {
		b.WriteByte("{,"[min(i, 1)])
		name, _ := asJSON(m.name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	if len(list) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes()
}

// asJSON writes a value with its characters as they are.
func asJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// callsFor are calls of tools with their arguments as an object, or as a text in JSON. The name stands in front of the
// arguments, as models write calls.
func callsFor(data json.RawMessage, texts bool) json.RawMessage {
	var calls []json.RawMessage
	if json.Unmarshal(data, &calls) != nil || calls == nil {
		return data
	}
	for i, call := range calls {
		calls[i] = replaced(call, "function", func(function json.RawMessage) json.RawMessage {
			return replaced(function, "arguments", func(arguments json.RawMessage) json.RawMessage { return argumentsFor(arguments, texts) })
		})
	}
	list, err := asJSON(calls)
	if err != nil {
		return data
	}
	return list
}

// replaced is an object with another value of a member. The member name of an object comes first.
func replaced(data json.RawMessage, name string, change func(json.RawMessage) json.RawMessage) json.RawMessage {
	list, ok := membersOf(data)
	if !ok {
		return data
	}
	for i := range list {
		if list[i].name == name {
			list[i].value = change(list[i].value)
		}
	}
	slices.SortStableFunc(list, func(a, b member) int { return rank(a.name) - rank(b.name) })
	return objectOf(list)
}

// rank is the place of a member of a call or function: the name in front, and the others as they come.
func rank(name string) int {
	if name == "name" {
		return 0
	}
	return 1
}

// argumentsFor are the arguments of a call as an object or as a text. A text that is no object stays as it is.
func argumentsFor(data json.RawMessage, texts bool) json.RawMessage {
	var text string
	given := json.Unmarshal(data, &text) == nil
	switch {
	case given && !texts:
		if _, ok := membersOf([]byte(text)); ok && json.Valid([]byte(text)) {
			return []byte(text)
		}
	case !given && texts:
		quoted, err := asJSON(string(data))
		if err == nil {
			return quoted
		}
	}
	return data
}
