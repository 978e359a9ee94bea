package jsontext

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Unmarshal is [json.Unmarshal] with such errors, and with those of [Characters].
func Unmarshal(data []byte, to any) error {
	err := Part(data, to)
	if err == nil {
		err = Characters(data)
	}
	return err
}

// Part is [Unmarshal] of a part of a text whose characters were checked, such as a [json.RawMessage] in what Unmarshal
// read.
func Part(data []byte, to any) error {
	err := json.Unmarshal(data, to)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: %w", max(0, syntax.Offset-1), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s is %s", named(kind.Field), Mismatch(kind))
	case errors.As(err, &kind):
		return fmt.Errorf("byte %d: there is %s", kind.Offset, Mismatch(kind))
	}
	return err
}

// Mismatch says what a value is and what the type that it was read for wants: "a string, want a whole number".
func Mismatch(kind *json.UnmarshalTypeError) string {
	text := have(kind.Value) + ", want " + Wanted(kind.Type)
	if number, ok := strings.CutPrefix(kind.Value, "number "); ok && !strings.ContainsAny(number, ".eE") { // too large for the type
		text += fmt.Sprintf(" of %d bits", kind.Type.Bits())
	}
	return text
}

// named is the path of a field as the text has it: a part with a capital is Go's name of a field without a tag.
func named(path string) string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		if p != "" && p[0] >= 'A' && p[0] <= 'Z' {
			parts[i] = strings.ToLower(p)
		}
	}
	return strings.Join(parts, ".")
}

// have says in words what package json found.
func have(value string) string {
	switch value {
	case "string":
		return "a string"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "number":
		return "a number"
	}
	return "the " + value // "number 0.5", which the type does not hold
}

// Wanted says in words what a value of a type is read from: "a string", "a list".
func Wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Pointer:
		return Wanted(t.Elem())
	}
	return "a whole number"
}
