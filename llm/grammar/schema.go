package grammar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Schema is the grammar of the values that a schema in JSON allows.
func Schema(data []byte) (*Grammar, error) {
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
}

// begin has references point into a whole, with rules of their own.
func (s *schema) begin(whole []byte, scope string) {
	s.whole, s.refs, s.scope = whole, map[string]int{}, scope
}

func class(negative bool, spans ...span) element {
	return element{spans: spans, negative: negative, rule: -1}
}

func (s *schema) named(name string) element { return element{rule: s.g.rule(name)} }

// join puts sequences behind each other.
func join(parts ...[]element) []element { return slices.Concat(parts...) }

func newSchema() *schema {
	s := &schema{g: newGrammar()}
	g := s.g
	blank := class(false, span{' ', ' '}, span{'\t', '\t'})
	g.define("space", []element{}, text(" "), join(text("\n"), g.repeat([]element{blank}, 0, 20)))
	hex := class(false, span{'0', '9'}, span{'a', 'f'}, span{'A', 'F'})
	g.define("char", []element{class(true, span{'"', '"'}, span{'\\', '\\'}, span{0, 0x1f}, span{0x7f, 0x7f})},
		join(text(`\`), []element{class(false, span{'"', '"'}, span{'\\', '\\'}, span{'/', '/'}, span{'b', 'b'}, span{'f', 'f'}, span{'n', 'n'}, span{'r', 'r'}, span{'t', 't'})}),
		join(text(`\u`), []element{hex, hex, hex, hex}))
	g.define("string", join(text(`"`), g.repeat([]element{s.named("char")}, 0, -1), text(`"`)))
	digit := []element{class(false, span{'0', '9'})}
	g.define("whole", text("0"), join([]element{class(false, span{'1', '9'})}, g.repeat(digit, 0, 15)))
	minus := g.repeat(text("-"), 0, 1)
	g.define("integer", join(minus, []element{s.named("whole")}))
	fraction := g.repeat([]element{g.add(join(text("."), g.repeat(digit, 1, 16)))}, 0, 1)
	sign := g.repeat([]element{class(false, span{'+', '+'}, span{'-', '-'})}, 0, 1)
	exponent := g.repeat([]element{g.add(join([]element{class(false, span{'e', 'e'}, span{'E', 'E'})}, sign, g.repeat(digit, 1, 3)))}, 0, 1)
	g.define("number", join(minus, []element{s.named("whole")}, fraction, exponent))
	g.define("boolean", text("true"), text("false"))
	g.define("null", text("null"))
	g.define("value", []element{s.named("object")}, []element{s.named("array")}, []element{s.named("string")}, []element{s.named("number")},
		[]element{s.named("boolean")}, []element{s.named("null")})
	member := join([]element{s.named("string")}, s.colon(), s.value())
	g.define("object", s.braces("{", "}", s.list(member, 0, -1)))
	g.define("array", s.braces("[", "]", s.list(s.value(), 0, -1)))
	return s
}

func (s *schema) value() []element { return []element{s.named("value")} }
func (s *schema) colon() []element { return join(text(":"), s.space()) }
func (s *schema) comma() []element { return join(text(","), s.space()) }
func (s *schema) space() []element { return []element{s.named("space")} }

func (s *schema) braces(open, close string, inside []element) []element {
	return join(text(open), s.space(), inside, s.space(), text(close))
}

// list is least to most of a part with commas between them; most is -1 for any number.
func (s *schema) list(part []element, least, most int) []element {
	if most == 0 {
		return nil
	}
	more := []element{s.g.add(join(s.comma(), part))}
	rest := most
	if rest > 0 {
		rest--
	}
	some := join(part, s.g.repeat(more, max(least-1, 0), rest))
	if least > 0 {
		return some
	}
	return []element{s.g.add(some, nil)}
}

// ignored are words that restrict nothing.
var ignored = []string{"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "format", "deprecated",
	"readOnly", "writeOnly", "strict", "name", "contentMediaType", "contentEncoding"}

// fields are the members of an object in their order.
func fields(data []byte) (names []string, values map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(data, &values); err != nil {
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
	fail := func(format string, args ...any) ([]element, error) {
		return nil, fmt.Errorf(path+": "+format, args...)
	}
	if depth > 100 {
		return fail("parts are nested too deeply")
	}
	switch strings.TrimSpace(string(data)) {
	case "true", "":
		return s.value(), nil
	case "false":
		return fail("no value is allowed")
	}
	_, f, err := fields(data)
	if err != nil {
		return fail("%v", err)
	}
	known := func(names ...string) error {
		for k := range f {
			if !slices.Contains(names, k) && !slices.Contains(ignored, k) {
				return fmt.Errorf("%s: %q is not supported here", path, k)
			}
		}
		return nil
	}
	switch {
	case f["$ref"] != nil:
		if err := known("$ref"); err != nil {
			return nil, err
		}
		return s.ref(f["$ref"], path, depth)
	case f["const"] != nil:
		return text(compact(f["const"])), known("const", "type")
	case f["enum"] != nil:
		var list []json.RawMessage
		if err := json.Unmarshal(f["enum"], &list); err != nil || len(list) == 0 {
			return fail("enum is no list of values")
		}
		var all [][]element
		for _, v := range list {
			all = append(all, text(compact(v)))
		}
		return []element{s.g.add(all...)}, known("enum", "type")
	case f["anyOf"] != nil, f["oneOf"] != nil:
		name := "anyOf"
		if f[name] == nil {
			name = "oneOf"
		}
		return s.any(f[name], path+"/"+name, depth, known(name))
	case f["allOf"] != nil:
		merged, err := s.merge(f, path)
		if err != nil {
			return nil, err
		}
		return s.of(merged, path, depth+1)
	}
	var types []string
	var one string
	switch {
	case f["type"] == nil && (f["properties"] != nil || f["additionalProperties"] != nil || f["required"] != nil):
		types = []string{"object"}
	case f["type"] == nil && (f["items"] != nil || f["prefixItems"] != nil):
		types = []string{"array"}
	case f["type"] == nil:
		return s.value(), known()
	case json.Unmarshal(f["type"], &one) == nil:
		types = []string{one}
	case json.Unmarshal(f["type"], &types) != nil || len(types) == 0:
		return fail("type is neither a name nor a list of names")
	}
	words := []string{"type"}
	var all [][]element
	for _, t := range types {
		var part []element
		switch t {
		case "object":
			words = append(words, "properties", "required", "additionalProperties")
			part, err = s.object(f, path, depth)
		case "array":
			words = append(words, "items", "prefixItems", "minItems", "maxItems")
			part, err = s.array(f, path, depth)
		case "string":
			words = append(words, "minLength", "maxLength")
			part, err = s.text(f, path)
		case "number", "integer", "boolean", "null":
			part = []element{s.named(t)}
		default:
			return fail("there is no type %q", t)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	if err := known(words...); err != nil {
		return nil, err
	}
	if len(all) == 1 {
		return all[0], nil
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

func (s *schema) any(data []byte, path string, depth int, err error) ([]element, error) {
	var list []json.RawMessage
	if e := json.Unmarshal(data, &list); e != nil || len(list) == 0 {
		err = fmt.Errorf("%s is no list of schemas", path)
	}
	if err != nil {
		return nil, err
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

// ref is what a reference within the schema points to, which may be around it.
func (s *schema) ref(data []byte, path string, depth int) ([]element, error) {
	var to string
	if err := json.Unmarshal(data, &to); err != nil || to != "#" && !strings.HasPrefix(to, "#/") {
		return nil, fmt.Errorf("%s: the reference %s is not within the schema", path, data)
	}
	if i, ok := s.refs[to]; ok {
		return []element{{rule: i}}, nil
	}
	part := json.RawMessage(s.whole)
	for _, name := range strings.Split(strings.TrimPrefix(to, "#"), "/")[1:] {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		var inside map[string]json.RawMessage
		if err := json.Unmarshal(part, &inside); err != nil || inside[name] == nil {
			return nil, fmt.Errorf("%s: there is nothing at %s", path, to)
		}
		part = inside[name]
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
	if a := f["additionalProperties"]; a != nil {
		open = string(bytes.TrimSpace(a)) != "false"
		more = a
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
	// What follows from a member on, where nothing stands in front and behind a comma.
	first, rest := []element{}, []element{}
	if open {
		value, err := s.of(more, path+"/additionalProperties", depth+1)
		if err != nil {
			return nil, err
		}
		member := join([]element{s.named("string")}, s.colon(), value)
		first = s.list(member, 0, -1)
		rest = s.g.repeat([]element{s.g.add(join(s.comma(), member))}, 0, -1)
	}
	for _, n := range slices.Backward(names) {
		value, err := s.of(properties[n], path+"/properties/"+n, depth+1)
		if err != nil {
			return nil, err
		}
		key, _ := json.Marshal(n)
		member := []element{s.g.add(join(text(string(key)), s.colon(), value))}
		with, behind := join(member, rest), join(s.comma(), member, rest)
		if slices.Contains(required, n) {
			first, rest = []element{s.g.add(with)}, []element{s.g.add(behind)}
		} else {
			first, rest = []element{s.g.add(with, first)}, []element{s.g.add(behind, rest)}
		}
	}
	return s.braces("{", "}", first), nil
}

// count reads a bound, otherwise what holds without one.
func count(f map[string]json.RawMessage, name, path string, otherwise int) (int, error) {
	if f[name] == nil {
		return otherwise, nil
	}
	var n int
	if err := json.Unmarshal(f[name], &n); err != nil || n < 0 || n > mostRepeats {
		return 0, fmt.Errorf("%s: %s is %s, want 0 to %d", path, name, f[name], mostRepeats)
	}
	return n, nil
}

func (s *schema) array(f map[string]json.RawMessage, path string, depth int) ([]element, error) {
	least, err := count(f, "minItems", path, 0)
	if err != nil {
		return nil, err
	}
	most, err := count(f, "maxItems", path, -1)
	if err != nil {
		return nil, err
	}
	if most >= 0 && most < least {
		return nil, errors.New(path + ": maxItems is less than minItems")
	}
	if f["prefixItems"] != nil {
		for _, word := range []string{"items", "minItems", "maxItems"} {
			if v := compact(f[word]); f[word] != nil && !(word == "items" && v == "false") {
				return nil, fmt.Errorf("%s: %q is not supported beside prefixItems", path, word)
			}
		}
		var list []json.RawMessage
		if err := json.Unmarshal(f["prefixItems"], &list); err != nil {
			return nil, fmt.Errorf("%s: prefixItems is no list", path)
		}
		var all []element
		for i, v := range list {
			part, err := s.of(v, fmt.Sprint(path, "/prefixItems/", i), depth+1)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				all = append(all, s.comma()...)
			}
			all = append(all, part...)
		}
		return s.braces("[", "]", all), nil
	}
	part, err := s.of(f["items"], path+"/items", depth+1)
	if err != nil {
		return nil, err
	}
	return s.braces("[", "]", s.list([]element{s.g.add(part)}, least, most)), nil
}

func (s *schema) text(f map[string]json.RawMessage, path string) ([]element, error) {
	least, err := count(f, "minLength", path, 0)
	if err != nil {
		return nil, err
	}
	most, err := count(f, "maxLength", path, -1)
	if err != nil {
		return nil, err
	}
	if least == 0 && most < 0 {
		return []element{s.named("string")}, nil
	}
	if most >= 0 && most < least {
		return nil, errors.New(path + ": maxLength is less than minLength")
	}
	return join(text(`"`), s.g.repeat([]element{s.named("char")}, least, most), text(`"`)), nil
}
