package grammar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
)

// JSON is the grammar of any value in JSON; object restricts it to objects.
func JSON(object bool) *Grammar {
	s := newSchema()
	root := s.value()
	if object {
		root = []element{{rule: s.g.rule("object")}}
	}
	s.g.define("root", root)
	return s.g
}

// Schema is the grammar of the values that a schema in JSON allows. A word that restricts values and is not known here
// is an error.
func Schema(data []byte) (*Grammar, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("schema: the text is empty; {} allows any value")
	}
	s := newSchema()
	s.begin(data, "")
	part, err := s.of(data, "#", 0)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	s.g.define("root", part)
	if err := s.g.check(); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return s.g, nil
}

type schema struct {
	g     *Grammar
	whole []byte
	refs  map[string]int
	scope string // in front of the names of rules that references make

	compared int // pairs of parts of oneOf
	listed   int // bytes of the values of enum and const
}

// begin has references point into a whole, with rules of their own.
func (s *schema) begin(whole []byte, scope string) {
	s.whole, s.refs, s.scope = whole, map[string]int{}, scope
}

// join puts sequences behind each other.
func join(parts ...[]element) []element { return slices.Concat(parts...) }

// ignored are words that restrict nothing.
var ignored = []string{"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "deprecated", "discriminator",
	"readOnly", "writeOnly", "strict", "name", "contentMediaType", "contentEncoding"}

// fields are the members of an object in their order.
func fields(data []byte) (names []string, values map[string]json.RawMessage, err error) {
	if err := jsontext.Unmarshal(data, &values); err != nil {
		return nil, nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			return nil, nil, err
		}
		if name, _ := t.(string); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, values, nil
}

// of is the sequence for a part of the schema. path names the part in errors.
func (s *schema) of(data []byte, path string, depth int) ([]element, error) {
	if depth > 100 {
		return nil, fmt.Errorf("%s: parts are nested too deeply", path)
	}
	switch strings.TrimSpace(string(data)) {
	case "true", "":
		return s.value(), nil
	case "false":
		return nil, fmt.Errorf("%s: no value is allowed", path)
	}
	_, f, err := fields(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	switch {
	case f["$ref"] != nil:
		if err := known(f, path, "$ref"); err != nil {
			return nil, err
		}
		return s.ref(f["$ref"], path, depth)
	case f["const"] != nil:
		return s.values([]json.RawMessage{f["const"]}, f, path, "const")
	case f["enum"] != nil:
		var list []json.RawMessage
		if err := json.Unmarshal(f["enum"], &list); err != nil || len(list) == 0 {
			return nil, fmt.Errorf("%s: enum is no list of values", path)
		}
		return s.values(list, f, path, "enum")
	case f["anyOf"] != nil:
		return s.any(f, path, "anyOf", depth)
	case f["oneOf"] != nil:
		if err := s.apart(f["oneOf"], path+"/oneOf"); err != nil {
			return nil, err
		}
		return s.any(f, path, "oneOf", depth)
	case f["allOf"] != nil:
		merged, err := s.merge(f, path)
		if err != nil {
			return nil, err
		}
		return s.of(merged, path, depth+1)
	}
	return s.typed(f, path, depth)
}

// known refuses words that are not among names.
func known(f map[string]json.RawMessage, path string, names ...string) error {
	for _, k := range slices.Sorted(maps.Keys(f)) {
		if !slices.Contains(names, k) && !slices.Contains(ignored, k) {
			return fmt.Errorf("%s: %q is not supported here", path, k)
		}
	}
	return nil
}

// typed is a value of the types that a schema names or, if it names none, of those that its words restrict.
func (s *schema) typed(f map[string]json.RawMessage, path string, depth int) ([]element, error) {
	types, err := typesOf(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	if types == nil {
		for _, t := range allTypes {
			if slices.ContainsFunc(words[t], func(w string) bool { return f[w] != nil && (w != "format" || hasFormat(f)) }) && t != "integer" {
				types = append(types, t)
			}
		}
		if types == nil {
			return s.value(), known(f, path, "format")
		}
	}
	may := []string{"type", "format"}
	var all [][]element
	for _, t := range types {
		may = append(may, words[t]...)
		var part []element
		switch t {
		case "object":
			part, err = s.object(f, path, depth)
		case "array":
			part, err = s.array(f, path, depth)
		case "string":
			part, err = s.text(f, path)
		case "number", "integer":
			part, err = s.number(f, t == "integer", path)
		default:
			part = []element{s.named(t)}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	if err := known(f, path, may...); err != nil {
		return nil, err
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return []element{s.g.add(all...)}, nil
}

var allTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// words are what restricts the values of a type.
var words = map[string][]string{
	"object":  {"properties", "required", "additionalProperties", "unevaluatedProperties"},
	"array":   {"items", "prefixItems", "minItems", "maxItems"},
	"string":  {"minLength", "maxLength", "pattern", "format"},
	"number":  {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"},
	"integer": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"},
}

// typesOf are the types that a schema names; nil if it names none.
func typesOf(f map[string]json.RawMessage) (types []string, err error) {
	var one string
	switch {
	case f["type"] == nil:
		return nil, nil
	case json.Unmarshal(f["type"], &one) == nil:
		types = []string{one}
	case json.Unmarshal(f["type"], &types) != nil || len(types) == 0:
		return nil, errors.New("type is neither a name nor a list of names")
	}
	for _, t := range types {
		if !slices.Contains(allTypes, t) {
			return nil, fmt.Errorf("there is no type %q", t)
		}
	}
	return types, nil
}

// values is one of the values of a list, which stands at a word; a value of another type than the schema's is left out.
func (s *schema) values(list []json.RawMessage, f map[string]json.RawMessage, path, word string) ([]element, error) {
	if err := known(f, path, word, "type"); err != nil {
		return nil, err
	}
	types, err := typesOf(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all [][]element
	for _, v := range list {
		if types == nil || slices.ContainsFunc(types, func(t string) bool { return isOf(v, t) }) {
			if s.listed += len(v); s.listed > mostLiteral {
				return nil, fmt.Errorf("%s: the values of enum and const up to here have more than %d bytes", path, mostLiteral)
			}
			all = append(all, s.literal(compact(v)))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no value is of the type %s", path, f["type"])
	}
	return []element{s.g.add(all...)}, nil
}

// compact is a value without blanks.
func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

// any is a value of one of the schemas that stand at a word.
func (s *schema) any(f map[string]json.RawMessage, path, word string, depth int) ([]element, error) {
	if err := known(f, path, word); err != nil {
		return nil, err
	}
	path += "/" + word
	var list []json.RawMessage
	if err := json.Unmarshal(f[word], &list); err != nil || len(list) == 0 {
		return nil, fmt.Errorf("%s is no list of schemas", path)
	}
	var all [][]element
	for i, v := range list {
		part, err := s.of(v, fmt.Sprint(path, "/", i), depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	return []element{s.g.add(all...)}, nil
}

// ref is the part of the schema that a reference points to; the part may contain the reference.
func (s *schema) ref(data []byte, path string, depth int) ([]element, error) {
	var to string
	if err := json.Unmarshal(data, &to); err != nil || to != "#" && !strings.HasPrefix(to, "#/") {
		return nil, fmt.Errorf("%s: the reference %s is not within the schema", path, data)
	}
	if i, ok := s.refs[to]; ok {
		return []element{{rule: i}}, nil
	}
	part, err := s.at(to)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rule := "ref " + s.scope + to
	i := s.g.rule(rule)
	s.refs[to] = i
	seq, err := s.of(part, to, depth+1)
	if err != nil {
		return nil, err
	}
	s.g.define(rule, seq)
	return []element{{rule: i}}, nil
}

// at is the part of the schema that a reference names.
func (s *schema) at(to string) (json.RawMessage, error) {
	part := json.RawMessage(s.whole)
	for _, name := range strings.Split(strings.TrimPrefix(to, "#"), "/")[1:] {
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		var inside map[string]json.RawMessage
		var list []json.RawMessage
		if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(part, &list) == nil && i >= 0 && i < len(list) {
			part = list[i]
		} else if err := json.Unmarshal(part, &inside); err != nil || inside[name] == nil {
			return nil, fmt.Errorf("there is nothing at %s", to)
		} else {
			part = inside[name]
		}
	}
	return part, nil
}
