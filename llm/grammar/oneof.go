package grammar

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// apart is an error where a value may be of two parts of oneOf, as far as types, single values and members tell.
func (s *schema) apart(data []byte, path string) error {
	var list []json.RawMessage
	_ = json.Unmarshal(data, &list) // who reads the parts says what is wrong
	for i := range list {
		for k := range i {
			if !s.disjoint(list[k], list[i], 0) {
				return fmt.Errorf("%s: a value may be of part %d and of part %d, which oneOf forbids; anyOf allows it, and types, values or a required member with a const tell parts apart", path, k, i)
			}
		}
	}
	return nil
}

// mostCompared bounds the pairs of parts that are compared for a schema.
const mostCompared = 10000

// disjoint reports whether no value is of both schemas. The answer false does not prove that there is such a value.
func (s *schema) disjoint(a, b json.RawMessage, depth int) bool {
	s.compared++
	if depth > 20 || s.compared > mostCompared {
		return false
	}
	x, y := s.told(a), s.told(b)
	if x == nil || y == nil {
		return false
	}
	for _, swap := range []bool{false, true} {
		if swap {
			x, y, a, b = y, x, b, a
		}
		for _, word := range []string{"anyOf", "oneOf"} {
			var parts []json.RawMessage
			if x[word] != nil && json.Unmarshal(x[word], &parts) == nil {
				return !slices.ContainsFunc(parts, func(p json.RawMessage) bool { return !s.disjoint(p, b, depth+1) })
			}
		}
	}
	if v, w := single(x), single(y); v != nil || w != nil {
		if v == nil {
			v, w, y = w, v, x
		}
		types, _ := typesOf(y)
		return !slices.ContainsFunc(v, func(one json.RawMessage) bool {
			if w != nil {
				return slices.ContainsFunc(w, func(other json.RawMessage) bool { return equal(one, other) })
			}
			return types == nil || slices.ContainsFunc(types, func(t string) bool { return isOf(one, t) })
		})
	}
	first, _ := typesOf(x)
	second, _ := typesOf(y)
	if first == nil || second == nil {
		return false
	}
	both := slices.DeleteFunc(slices.Clone(first), func(t string) bool {
		return !slices.Contains(second, t) && !(t == "integer" && slices.Contains(second, "number")) && !(t == "number" && slices.Contains(second, "integer"))
	})
	return len(both) == 0 || len(both) == 1 && both[0] == "object" && (s.members(x, y, depth) || s.members(y, x, depth))
}

// members reports whether a member that one schema requires cannot be of the other one.
func (s *schema) members(f, other map[string]json.RawMessage, depth int) bool {
	var required []string
	var here, there map[string]json.RawMessage
	_ = json.Unmarshal(f["required"], &required)
	_ = json.Unmarshal(f["properties"], &here)
	_ = json.Unmarshal(other["properties"], &there)
	return slices.ContainsFunc(required, func(name string) bool {
		if there[name] == nil {
			return strings.TrimSpace(string(other["additionalProperties"])) == "false"
		}
		return here[name] != nil && s.disjoint(here[name], there[name], depth+1)
	})
}

// told is the schema to which references lead; nil if one leads nowhere.
func (s *schema) told(data json.RawMessage) map[string]json.RawMessage {
	var f map[string]json.RawMessage
	for range 20 {
		f = nil
		var to string
		if json.Unmarshal(data, &f) != nil || f["$ref"] == nil {
			break
		}
		if json.Unmarshal(f["$ref"], &to) != nil {
			return nil
		}
		var err error
		if data, err = s.at(to); err != nil {
			return nil
		}
	}
	return f
}

// single are the values of a schema that lists them.
func single(f map[string]json.RawMessage) (list []json.RawMessage) {
	if f["const"] != nil {
		return []json.RawMessage{f["const"]}
	}
	_ = json.Unmarshal(f["enum"], &list)
	return list
}

// equal reports whether two texts in JSON are one value.
func equal(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// isOf reports whether a value is of a type.
func isOf(value json.RawMessage, kind string) bool {
	var v any
	_ = json.Unmarshal(value, &v)
	switch v := v.(type) {
	case map[string]any:
		return kind == "object"
	case []any:
		return kind == "array"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == math.Trunc(v)
	}
	return kind == "null"
}
