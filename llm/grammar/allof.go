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
	rest := map[string]json.RawMessage{}
	for k, v := range f {
		if k != "allOf" {
			rest[k] = v
		}
	}
	if own, err := json.Marshal(rest); err == nil && len(rest) > 0 {
		list = append(list, own)
	}
	out := map[string]json.RawMessage{}
	var order []string
	properties := map[string]json.RawMessage{}
	var required []string
	for _, part := range list {
		names, g, err := fields(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, k := range names {
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
				if json.Unmarshal(g[k], &r) == nil {
					required = append(required, r...)
				}
			case out[k] != nil && compact(out[k]) != compact(g[k]) && !slices.Contains(ignored, k):
				return nil, fmt.Errorf("%s: allOf says %q twice", path, k)
			default:
				out[k] = g[k]
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
			name, _ := json.Marshal(n)
			b.Write(name)
			b.WriteByte(':')
			b.Write(properties[n])
		}
		b.WriteByte('}')
		out["properties"] = b.Bytes()
	}
	if len(required) > 0 {
		out["required"], _ = json.Marshal(required)
	}
	return json.Marshal(out)
}
