package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// merged joins the parts of allOf.
type merged struct {
	path       string                     // of the part that is added, for errors
	words      map[string]json.RawMessage // but properties and required
	order      []string                   // of the properties
	properties map[string]json.RawMessage
	required   []string
	closed     []map[string]json.RawMessage // the parts that say which other members there are
}

// merge makes one schema of the parts of allOf, and of the words beside allOf.
func (s *schema) merge(f map[string]json.RawMessage, path string) ([]byte, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(f["allOf"], &list); err != nil {
		return nil, fmt.Errorf("%s: allOf is no list", path)
	}
	m := merged{words: map[string]json.RawMessage{}, properties: map[string]json.RawMessage{}}
	for i, part := range list {
		m.path = fmt.Sprint(path, "/allOf/", i)
		if err := m.add(part, false); err != nil {
			return nil, err
		}
	}
	m.path = path
	rest := maps.Clone(f)
	if delete(rest, "allOf"); len(rest) > 0 {
		own, err := plain(rest)
		if err == nil {
			err = m.add(own, true)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := m.checkClosed(); err != nil {
		return nil, err
	}
	return m.schema()
}

// add adds a part, or the words beside allOf.
func (m *merged) add(part []byte, beside bool) error {
	names, f, err := fields(part)
	if err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	for _, k := range names {
		if (k == "additionalProperties" || k == "unevaluatedProperties" && !beside) && compact(f[k]) != "true" {
			m.closed = append(m.closed, f)
		}
		switch {
		case k == "properties":
			if err := m.addProperties(f[k]); err != nil {
				return err
			}
		case k == "required":
			var r []string
			if err := json.Unmarshal(f[k], &r); err != nil {
				return fmt.Errorf("%s: required is no list of names", m.path)
			}
			m.required = append(m.required, r...)
		case m.words[k] != nil && compact(m.words[k]) != compact(f[k]) && !slices.Contains(ignored, k):
			return fmt.Errorf("%s: allOf says %q twice", m.path, k)
		default:
			m.words[k] = f[k]
		}
	}
	return nil
}

func (m *merged) addProperties(data []byte) error {
	names, inside, err := fields(data)
	if err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	for _, n := range names {
		if m.properties[n] != nil && compact(m.properties[n]) != compact(inside[n]) {
			return fmt.Errorf("%s: allOf describes the property %q twice", m.path, n)
		}
		if m.properties[n] == nil {
			m.order = append(m.order, n)
		}
		m.properties[n] = inside[n]
	}
	return nil
}

// checkClosed is an error if a part forbids, or restricts, a property of another part.
func (m *merged) checkClosed() error {
	for _, f := range m.closed {
		var own map[string]json.RawMessage
		_ = json.Unmarshal(f["properties"], &own)
		for _, n := range m.order {
			if own[n] == nil {
				return fmt.Errorf("%s: additionalProperties of a part of allOf covers every property that the part does not name, such as %q of another part; unevaluatedProperties beside allOf covers the properties that no part names", m.path, n)
			}
		}
	}
	return nil
}

// schema is all parts as one schema.
func (m *merged) schema() ([]byte, error) {
	if len(m.order) > 0 {
		var b bytes.Buffer
		for i, n := range m.order {
			b.WriteByte("{,"[min(i, 1)])
			b.WriteString(quote(n))
			b.WriteByte(':')
			b.Write(m.properties[n])
		}
		b.WriteByte('}')
		m.words["properties"] = b.Bytes()
	}
	if len(m.required) > 0 {
		m.words["required"], _ = plain(m.required)
	}
	return plain(m.words)
}

// plain encodes a value in JSON without escapes for HTML.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
