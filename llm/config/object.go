package config

import (
	"encoding/json"
	"math"
)

// Object is an object of a JSON file by its keys.
type Object map[string]json.RawMessage

// Get reads the value of the first of several keys that has one, other than null, of the type that to points to. It
// reports whether there was one.
func (c Object) Get(to any, names ...string) bool {
	for _, n := range names {
		raw, ok := c[n]
		if !ok || string(raw) == "null" {
			continue
		}
		if json.Unmarshal(raw, to) == nil {
			return true
		}
		var v float64 // a whole number that is written as 32.0
		if i, ok := to.(*int); ok && json.Unmarshal(raw, &v) == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			*i = int(v)
			return true
		}
	}
	return false
}

// Value is the text of a key's value, null without one.
func (c Object) Value(name string) json.RawMessage {
	if raw, ok := c[name]; ok {
		return raw
	}
	return json.RawMessage("null")
}

// Text is the string of the first of several keys that has one, "" if there is none.
func (c Object) Text(names ...string) string {
	var s string
	c.Get(&s, names...)
	return s
}

// Part is the object that a key has, nil if there is none.
func (c Object) Part(name string) Object {
	var p Object
	if !c.Get(&p, name) {
		return nil
	}
	return p
}
