package grammar_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
)

// TestApart: two schemas may stand in oneOf, in either order, if no value is of both; other schemas may not.
func TestApart(t *testing.T) {
	object := func(rest string) string { return `{"type":"object",` + rest + `}` }
	for _, c := range []struct {
		a, b  string
		apart bool
	}{
		{`{"type":"integer"}`, `{"type":"string"}`, true},
		{`{"type":"integer"}`, `{"type":"number"}`, false},
		{`{"type":["integer","null"]}`, `{"type":["string","null"]}`, false},
		{`{"type":["integer","null"]}`, `{"type":["string","boolean"]}`, true},
		{`{"type":"array"}`, `{"type":"array"}`, false},
		{`{}`, `{"type":"string"}`, false},
		{`{"const":1}`, `{"const":2}`, true},
		{`{"const":1}`, `{"const":1.0}`, false},
		{`{"const":1}`, `{"enum":[3,2,1]}`, false},
		{`{"enum":["a","b"]}`, `{"enum":["c"]}`, true},
		{`{"const":1}`, `{"type":"string"}`, true},
		{`{"const":1}`, `{"type":["string","integer"]}`, false},
		{`{"const":1.5}`, `{"type":"integer"}`, true},
		{`{"const":null}`, `{"type":"null"}`, false},
		{`{"const":null}`, `{"type":"boolean"}`, true},
		{`{"const":{}}`, `{"type":"array"}`, true},
		{`{"const":{}}`, `{"type":"object"}`, false},
		{`{"const":[]}`, `{"type":"array"}`, false},
		{`{"const":true}`, `{"type":"boolean"}`, false},
		{`{"const":1}`, `{}`, false},
		{`{"anyOf":[{"type":"integer"},{"const":"a"}]}`, `{"type":"null"}`, true},
		{`{"anyOf":[{"type":"integer"},{"const":"a"}]}`, `{"type":"string"}`, false},
		{`{"oneOf":[{"const":1},{"const":2}]}`, `{"anyOf":[{"const":3},{"const":4}]}`, true},
		{`{"oneOf":[{"const":1},{"const":2}]}`, `{"anyOf":[{"const":3},{"const":2}]}`, false},
		{object(`"properties":{"k":{"const":"a"}},"required":["k"]`), object(`"properties":{"k":{"const":"b"}}`), true},
		{object(`"properties":{"k":{"const":"a"}}`), object(`"properties":{"k":{"const":"b"}}`), false}, // {} is of both
		{object(`"properties":{"k":{"const":"a"}},"required":["k"]`), object(`"properties":{"k":{"const":"a"}},"required":["k"]`), false},
		{object(`"properties":{"k":{}},"required":["k"]`), object(`"properties":{"m":{}},"additionalProperties":false`), true},
		{object(`"properties":{"k":{}},"required":["k"]`), object(`"properties":{"m":{}}`), false},
		{`{"$ref":"#/$defs/number"}`, `{"type":"string"}`, true},
		{`{"$ref":"#/$defs/number"}`, `{"type":"integer"}`, false},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			schema := fmt.Sprintf(`{"$defs":{"number":{"type":"number"}},"oneOf":[%s,%s]}`, pair[0], pair[1])
			_, err := grammar.Schema([]byte(schema))
			if c.apart {
				require.NoError(t, err, schema)
			} else {
				require.ErrorContains(t, err, "which oneOf forbids", schema)
			}
		}
	}
	_, err := grammar.Schema([]byte(`{"oneOf":[{"type":"null"},{"type":"string"},{"const":"a"}]}`))
	require.ErrorContains(t, err, "#/oneOf: a value may be of part 1 and of part 2,")
}
