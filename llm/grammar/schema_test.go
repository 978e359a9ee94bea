package grammar_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
)

// TestRecordedSchemas: values that the package jsonschema of Python finds to be of random schemas are accepted, and others are not.
func TestRecordedSchemas(t *testing.T) {
	file, err := os.Open("testdata/schemas.json.gz")
	require.NoError(t, err)
	defer file.Close()
	packed, err := gzip.NewReader(file)
	require.NoError(t, err)
	var cases []struct {
		Schema  json.RawMessage
		Yes, No []string
	}
	require.NoError(t, json.NewDecoder(packed).Decode(&cases))
	require.NotEmpty(t, cases)
	for _, c := range cases {
		g, err := grammar.Schema(c.Schema)
		require.NoError(t, err, "%s", c.Schema)
		for _, s := range c.Yes {
			require.True(t, accepts(g, s), "%s: %s", c.Schema, s)
		}
		for _, s := range c.No {
			require.False(t, accepts(g, s), "%s: %s", c.Schema, s)
		}
	}
}
