package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
)

// positions finds where the values of a machine are in a file, so that what is
// wrong with one can be said with its line and column.
type positions struct {
	text []byte
	d    *json.Decoder
	at   map[string]int64 // offset of a value by its path, such as core.memory
}

// locate reads the tokens of a machine. It is an error when a value has the wrong
// form for its field, and when a field is unknown or given twice.
func locate(text []byte, t reflect.Type) (*positions, error) {
	p := &positions{text: text, d: json.NewDecoder(bytes.NewReader(text)), at: make(map[string]int64)}
	p.d.UseNumber()
	return p, p.value(t, "")
}

// next returns the next token and the offset of its first byte.
func (p *positions) next() (json.Token, int64, error) {
	at := p.d.InputOffset()
	for at < int64(len(p.text)) && strings.IndexByte(" \t\r\n,:", p.text[at]) >= 0 {
		at++
	}
	t, err := p.d.Token()
	return t, at, err
}

func (p *positions) errorf(at int64, format string, args ...any) error {
	return fmt.Errorf("%s: %s", lineColumn(p.text, at), fmt.Sprintf(format, args...))
}

// longest bounds the texts of a machine, which errors repeat.
const longest = 2000

var constantType = reflect.TypeFor[Constant]()

// value reads one value of type t.
func (p *positions) value(t reflect.Type, path string) error {
	token, at, err := p.next()
	if err != nil {
		return err
	}
	p.at[path] = at
	kind := t.Kind()
	if kind == reflect.Pointer {
		t, kind = t.Elem(), t.Elem().Kind()
	} else if token == nil && kind != reflect.Map && kind != reflect.Slice {
		return p.errorf(at, "%s is null, want %s", name(path), form(t))
	}
	_, number := token.(json.Number)
	text, word := token.(string)
	if len(text) > longest {
		return p.errorf(at, "%s has %d bytes, want no more than %d", name(path), len(text), longest)
	}
	_, truth := token.(bool)
	fits := false
	switch {
	case token == nil, t == constantType && number:
		return nil
	case kind == reflect.Struct || kind == reflect.Map:
		fits = token == json.Delim('{')
	case kind == reflect.Slice || kind == reflect.Array:
		fits = token == json.Delim('[')
	case kind == reflect.String:
		fits = word
	case kind == reflect.Bool:
		fits = truth
	case kind == reflect.Int:
		if number {
			_, err := token.(json.Number).Int64()
			fits = err == nil
		}
	case kind == reflect.Float64:
		fits = number
	}
	if !fits {
		return p.errorf(at, "%s must be %s", name(path), form(t))
	}
	switch token {
	case json.Delim('{'):
		return p.object(t, path)
	case json.Delim('['):
		return p.list(t, path)
	}
	return nil
}

// object reads the fields of a struct, or the elements of a map.
func (p *positions) object(t reflect.Type, path string) error {
	for p.d.More() {
		token, at, err := p.next()
		if err != nil {
			return err
		}
		key := token.(string)
		if len(key) > longest {
			return p.errorf(at, "a field of %s has a name of %d bytes, want no more than %d", name(path), len(key), longest)
		}
		child := strings.TrimPrefix(path+"."+key, ".")
		if _, twice := p.at[child]; twice {
			return p.errorf(at, "%s is given twice", child)
		}
		var element reflect.Type
		if t.Kind() == reflect.Map {
			element = t.Elem()
		} else if element = fields(t)[key]; element == nil {
			return p.errorf(at, "%s has no field %q; there are %s", name(path), key, names(t))
		}
		if err := p.value(element, child); err != nil {
			return err
		}
	}
	_, err := p.d.Token()
	return err
}

// list reads the elements of a slice or an array.
func (p *positions) list(t reflect.Type, path string) error {
	n := 0
	for ; p.d.More(); n++ {
		if err := p.value(t.Elem(), fmt.Sprintf("%s[%d]", path, n)); err != nil {
			return err
		}
	}
	if t.Kind() == reflect.Array && n != t.Len() {
		return p.errorf(p.at[path], "%s has %d elements, want %d", path, n, t.Len())
	}
	_, err := p.d.Token()
	return err
}

// mostMistakes are as many as a message lists.
const mostMistakes = 20

// place adds positions to the errors of [Machine.Check]: the position of the field, or of the object that lacks it.
func (p *positions) place(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var out []error
	all := joined.Unwrap()
	for i, err := range all {
		if i == mostMistakes {
			out = append(out, fmt.Errorf("and %d more", len(all)-i))
			break
		}
		var field *FieldError
		if errors.As(err, &field) {
			path := field.Field
			for p.at[path] == 0 && path != "" {
				path = path[:max(0, strings.LastIndexByte(path, '.'))]
			}
			err = fmt.Errorf("%s: %w", lineColumn(p.text, p.at[path]), err)
		}
		out = append(out, err)
	}
	return errors.Join(out...)
}

// fields returns the types of the fields of a struct by their names in JSON.
func fields(t reflect.Type) map[string]reflect.Type {
	out := make(map[string]reflect.Type)
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" {
			out[tag] = f.Type
		}
	}
	return out
}

func names(t reflect.Type) string {
	var list []string
	for n := range fields(t) {
		list = append(list, n)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func name(path string) string {
	if path == "" {
		return "a machine"
	}
	return path
}

// form says in words what JSON a type takes.
func form(t reflect.Type) string {
	if t == constantType {
		return "a number or an object"
	}
	return jsontext.Wanted(t)
}

// lineColumn turns a byte offset into line and column, both from 1.
func lineColumn(text []byte, offset int64) string {
	before := text[:min(offset, int64(len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("%d:%d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}
