// SPDX-License-Identifier: Apache-2.0

// Package jsontext decodes JSON with errors for those who wrote the text: they name the byte and the field, and kinds
// of JSON in place of Go's types.
//
//	err := jsontext.Unmarshal([]byte(`{"layers": "two"}`), &config) // layers is a string, want a whole number
package jsontext
