package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// CheckType returns an error, with the name of the file, if a key has a value of none of these types, as [TypeOf] names
// them. Lists are of numbers.
func (c Object) CheckType(file, key string, types ...string) error {
	raw, ok := c[key]
	if !ok || string(raw) == "null" {
		return nil
	}
	have := TypeOf(raw)
	if !slices.Contains(types, have) {
		var wanted []string
		for _, t := range types {
			wanted = append(wanted, WithArticle(t))
		}
		return fmt.Errorf("%s: %s is %.40s, %s; %s is wanted", file, key, raw, WithArticle(have), strings.Join(wanted, " or "))
	}
	var list []float64
	if have == "list" && json.Unmarshal(raw, &list) != nil {
		return fmt.Errorf("%s: %s is %.40s; a list of numbers is wanted", file, key, raw)
	}
	return nil
}

// WithArticle is a name of [TypeOf] with its article.
func WithArticle(kind string) string {
	if kind == "object" {
		return "an object"
	}
	return "a " + kind
}

// TypeOf is the type of a value in JSON: "string", "truth value", "list", "object", "null" or "number".
func TypeOf(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "truth value"
	case '[':
		return "list"
	case '{':
		return "object"
	case 'n':
		return "null"
	}
	return "number"
}
