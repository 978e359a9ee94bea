package jinja

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// MaxSteps is the number of steps after which a rendering ends with an error: one for a node that is evaluated, an
// item, 16 bytes of text, and 8 that a filter or a method reads, and 10 for a turn of a loop.
const MaxSteps = 10_000_000

// Template is a parsed template. Many goroutines may render it at once.
type Template struct {
	source string
	body   []statement
	now    func() time.Time
	steps  int // that a rendering takes at most
}

// Parse reads a template. The error is an [*Error].
func Parse(source string) (t *Template, err error) {
	source = newlines.Replace(source)
	defer func() { caught(recover(), source, &err) }()
	t = &Template{source: source, now: time.Now, steps: MaxSteps}
	p := &parser{tokens: scan(strings.TrimSuffix(source, "\n"))}
	t.body, _ = p.statements()
	return t, nil
}

// Render gives the text of the template for values, which are those that encoding/json makes of Go's. Objects of a
// json.RawMessage keep the order of their members. The error is an [*Error] where the template is at fault.
func (t *Template) Render(values map[string]any) (text string, err error) {
	data := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if data[name], err = fromGo(values[name]); err != nil {
			return "", fmt.Errorf("the value %s: %w", name, err)
		}
	}
	r := &run{most: t.steps, left: t.steps, now: t.now}
	defer func() {
		if caught(recover(), t.source, &err); err != nil {
			text = ""
		}
	}()
	root := &scope{names: maps.Clone(globals)}
	maps.Copy(root.names, data)
	var out strings.Builder
	r.execute(t.body, &scope{parent: root}, &out)
	return out.String(), nil
}

// fromGo makes a value of what encoding/json can write.
func fromGo(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return readJSON(d)
}

func readJSON(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Number:
		if strings.ContainsAny(string(t), ".eE") {
			return t.Float64()
		}
		i, err := t.Int64()
		if err != nil {
			return nil, fmt.Errorf("%s is no integer of 64 bits", t)
		}
		return i, nil
	case json.Delim:
		if t == '[' {
			all := list{}
			for d.More() {
				v, err := readJSON(d)
				if err != nil {
					return nil, err
				}
				all = append(all, v)
			}
			_, err = d.Token()
			return all, err
		}
		object := newDict()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := readJSON(d)
			if err != nil {
				return nil, err
			}
			object.put(key, v)
		}
		_, err = d.Token()
		return object, err
	}
	return t, nil
}
