package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// merge makes one object of the parts of allOf.
func (s *schema) merge(f map[string]json.RawMessage, path string) ([]byte, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(f["allOf"], &list); err != nil {
		return nil, fmt.Errorf("%s: allOf is no list", path)
	}
	parts := len(list)
	rest := map[string]json.RawMessage{}
	for k, v := range f {
		if k != "allOf" {
			rest[k] = v
		}
	}
	if len(rest) > 0 {
		own, err := plain(rest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, own)
	}
	out := map[string]json.RawMessage{}
	var order []string
	properties := map[string]json.RawMessage{}
	var required []string
	var closed []map[string]json.RawMessage // those that say what other members are
	for i, part := range list {
		names, g, err := fields(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, k := range names {
			if (k == "additionalProperties" || k == "unevaluatedProperties" && i < parts) && compact(g[k]) != "true" {
				closed = append(closed, g)
			}
			switch {
			case k == "properties":
				names, inside, err := fields(g[k])
				if err != nil {
					return nil, fmt.Errorf("%s: %w", path, err)
				}
				for _, n := range names {
					if properties[n] != nil && compact(properties[n]) != compact(inside[n]) {
						return nil, fmt.Errorf("%s: allOf describes the property %q twice", path, n)
					}
					if properties[n] == nil {
						order = append(order, n)
					}
					properties[n] = inside[n]
				}
			case k == "required":
				var r []string
				if err := json.Unmarshal(g[k], &r); err != nil {
					return nil, fmt.Errorf("%s: required is no list of names", path)
				}
				required = append(required, r...)
			case out[k] != nil && compact(out[k]) != compact(g[k]) && !slices.Contains(ignored, k):
				return nil, fmt.Errorf("%s: allOf says %q twice", path, k)
			default:
				out[k] = g[k]
			}
		}
	}
	for _, g := range closed {
		var own map[string]json.RawMessage
		_ = json.Unmarshal(g["properties"], &own)
		for _, n := range order {
			if own[n] == nil {
				return nil, fmt.Errorf("%s: additionalProperties is for all members but those beside it, such as %q of another part of allOf; unevaluatedProperties beside allOf is for those that no part names", path, n)
			}
		}
	}
	if len(order) > 0 {
		var b bytes.Buffer
		b.WriteByte('{')
		for i, n := range order {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(n))
			b.WriteByte(':')
			b.Write(properties[n])
		}
		b.WriteByte('}')
		out["properties"] = b.Bytes()
	}
	if len(required) > 0 {
		out["required"], _ = plain(required)
	}
	return plain(out)
}

// plain is a value in JSON whose texts are as they were.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
