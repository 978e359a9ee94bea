package grammar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// object is the members in the order of properties, then those that it does not name.
func (s *schema) object(f map[string]json.RawMessage, path string, depth int) ([]element, error) {
	var names []string
	var properties map[string]json.RawMessage
	if f["properties"] != nil {
		var err error
		if names, properties, err = fields(f["properties"]); err != nil {
			return nil, fmt.Errorf("%s: properties: %w", path, err)
		}
	}
	var required []string
	if f["required"] != nil {
		if err := json.Unmarshal(f["required"], &required); err != nil {
			return nil, fmt.Errorf("%s: required is no list of names", path)
		}
	}
	more, open := json.RawMessage(nil), len(names) == 0
	for _, word := range []string{"unevaluatedProperties", "additionalProperties"} {
		if f[word] != nil {
			open, more = string(bytes.TrimSpace(f[word])) != "false", f[word]
		}
	}
	for _, r := range required {
		if !slices.Contains(names, r) {
			names = append(names, r)
			if properties == nil {
				properties = map[string]json.RawMessage{}
			}
			properties[r] = more
		}
	}
	// The members from one on: where nothing stands in front, and behind a comma.
	first, rest := []element{}, []element{}
	if open {
		value, err := s.of(more, path+"/additionalProperties", depth+1)
		if err != nil {
			return nil, err
		}
		name := []element{s.named("string")}
		if len(names) > 0 {
			var taken [][]rune
			for _, n := range names {
				taken = append(taken, []rune(n))
			}
			name = join(text(`"`), s.other(taken))
		}
		member := []element{s.g.add(join(name, s.colon(), value))}
		first = s.list(member, 0, -1)
		rest = s.g.repeat([]element{s.g.add(join(s.comma(), member))}, 0, -1)
	}
	for _, n := range slices.Backward(names) {
		value, err := s.of(properties[n], path+"/properties/"+n, depth+1)
		if err != nil {
			return nil, err
		}
		member := []element{s.g.add(join(text(quote(n)), s.colon(), value))}
		with, behind := join(member, rest), join(s.comma(), member, rest)
		if slices.Contains(required, n) {
			first, rest = []element{s.g.add(with)}, []element{s.g.add(behind)}
		} else {
			first, rest = []element{s.g.add(with, first)}, []element{s.g.add(behind, rest)}
		}
	}
	return s.braces("{", "}", first), nil
}
