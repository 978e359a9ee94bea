package jsontext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/jsontext"
)

// TestNames: a name counts in its own object alone, and a value is no name.
func TestNames(t *testing.T) {
	for _, text := range []string{`{"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 1}], "d": "a", "e": "a"}`, `["a", "a"]`, `3`, `{"a": 1, "a`, ``} {
		require.NoError(t, jsontext.Names([]byte(text)), text)
	}
	for _, text := range []string{`{"a": 1, "a": 1}`, `[{"x": {"a": [], "b": {}, "\u0061": 0}}]`, `{"a": {"b": "a"}, "a": 1} `} {
		require.ErrorContains(t, jsontext.Names([]byte(text)), `an object has the name "a" twice`, text)
	}
	require.EqualError(t, jsontext.Names([]byte(`{"a":1,"a":2}`)), `byte 10: an object has the name "a" twice`)
}
