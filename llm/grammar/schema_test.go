package grammar_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
)

// TestRecordedSchemas: values that the package jsonschema of Python finds to be of random schemas are accepted, and
// others are not.
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

// TestUnknownWordsInOrder: of several words that are not supported, an error always names the first by the alphabet.
func TestUnknownWordsInOrder(t *testing.T) {
	for range 50 {
		_, err := grammar.Schema([]byte(`{"type": "string", "zz": 1, "yy": 1, "aa": 1, "mm": 1}`))
		require.ErrorContains(t, err, `"aa" is not supported`)
	}
}

// TestFewerThanPrefix: maxItems below the number of prefixItems bounds the list.
func TestFewerThanPrefix(t *testing.T) {
	g, err := grammar.Schema([]byte(`{"type": "array", "prefixItems": [{"const": 1}, {"const": 2}], "minItems": 0, "maxItems": 1}`))
	require.NoError(t, err)
	for text, want := range map[string]bool{"[]": true, "[1]": true, "[1, 2]": false, "[1,2]": false, "[2]": false} {
		require.Equal(t, want, accepts(g, text), text)
	}
}

// TestLongEnum: a character of a listed value takes some 60 bytes of a grammar, so that the values of a schema are
// bounded.
func TestLongEnum(t *testing.T) {
	list := func(count int) []byte {
		return []byte(`{"enum":["` + strings.TrimSuffix(strings.Repeat(strings.Repeat("a", 1000)+`","`, count), `,"`) + `]}`)
	}
	_, err := grammar.Schema(list(1000))
	require.NoError(t, err)
	_, err = grammar.Schema(list(5000))
	require.ErrorContains(t, err, "schema: #: the values of enum and const up to here have more than 1048576 bytes")
}
