package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/jsontext"
)

// config reads config.json. A number has one of several names, by the family of the model.
type config map[string]json.RawMessage

func (c config) get(to any, names ...string) bool {
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

// value is the text of a key's value, null without one.
func (c config) value(name string) json.RawMessage {
	if raw, ok := c[name]; ok {
		return raw
	}
	return json.RawMessage("null")
}

func (c config) text(names ...string) string {
	var s string
	c.get(&s, names...)
	return s
}

// part is an object within, nil if there is none.
func (c config) part(name string) config {
	var p config
	if !c.get(&p, name) {
		return nil
	}
	return p
}

// alike makes one number of a list that has the number for each layer.
func (c config) alike(keys ...string) {
	for _, key := range keys {
		var list []json.RawMessage
		if c.get(&list, key) && len(list) > 0 && !slices.ContainsFunc(list, func(v json.RawMessage) bool { return string(v) != string(list[0]) }) {
			c[key] = list[0]
		}
	}
}

// readConfig reads the keys of config.json; those of the text of a model that sees as well come first.
func readConfig(data []byte) (c config, err error) {
	if err := jsontext.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	inner := c.part("text_config")
	if inner == nil {
		return c, nil
	}
	for k, v := range c {
		if _, ok := inner[k]; !ok {
			inner[k] = v
		}
	}
	return inner, nil
}
