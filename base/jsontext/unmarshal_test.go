package jsontext_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/jsontext"
)

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, "b": [1.5], "c": {"d": "x"}}`: "",
		`{"a": "x"}`:                            "a is a string, want a whole number",
		`{"a": 0.5}`:                            "a is the number 0.5, want a whole number",
		`{"a": 99999999999}`:                    "a is the number 99999999999, want a whole number of 32 bits",
		`{"b": {}}`:                             "b is an object, want a list",
		`{"b": [true]}`:                         "b is true or false, want a number",
		`{"c": {"d": []}}`:                      "c.d is a list, want a string",
		`{"p": 1}`:                              "p is a number, want true or false",
		`[1]`:                                   "byte 1: there is a list, want an object",
		`{"a": 1`:                               "byte 6: unexpected end of JSON input",
		`{"a" 1}`:                               "byte 5: invalid character '1' after object key",
		"{\"c\": {\"d\": \"\xff\"}}":            "byte 13: 0xff is no UTF-8",
	} {
		var v struct {
			A int32
			B []float64
			C struct{ D string }
			P *bool
		}
		err := jsontext.Unmarshal([]byte(text), &v)
		if want == "" {
			require.NoError(t, err)
			require.EqualValues(t, 1, v.A)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// TestCharacters: what package encoding/json would read as U+FFFD is an error with its place, and all other texts are
// none.
func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		`{"é": "\u00e9 \ud83d\ude00 \\ud800 \n \ufffd 😀"}`: "",
		``:                     "",
		`"\u12`:                "",
		"\"a\xff\"":            "byte 2: 0xff is no UTF-8",
		"\"é\xe2\x82\"":        "byte 3: 0xe2 is no UTF-8",
		`"\ud800"`:             `byte 1: \ud800 is half of a surrogate pair`,
		`"\ude00\ude00"`:       `byte 1: \ude00 is half`,
		`"\\\udc00"`:           `byte 3: \udc00 is half`,
		`"\ud83d\u0041"`:       `byte 1: \ud83d is half`,
		`"\ud83d\ud83d\ude00"`: `byte 1: \ud83d is half`,
		`"\ud83d\ude00\ude00"`: `byte 13: \ude00 is half`,
		`"\ude00\ud83d\ude00"`: `byte 1: \ude00 is half`,
	} {
		if err := jsontext.Characters([]byte(text)); want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

func ExampleCharacters() {
	fmt.Println(jsontext.Characters([]byte(`{"name": "\ud800"}`)))
	// Output: byte 10: \ud800 is half of a surrogate pair
}

func ExampleUnmarshal() {
	var config struct{ Layers int }
	fmt.Println(jsontext.Unmarshal([]byte(`{"layers": "two"}`), &config))
	// Output: layers is a string, want a whole number
}
