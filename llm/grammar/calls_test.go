package grammar_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
)

// TestCalls: each function has arguments of its own schema, whose references point into it.
func TestCalls(t *testing.T) {
	schema := func(name, kind string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{"` + name + `":{"$ref":"#/$defs/v"}},"required":["` + name + `"],"additionalProperties":false,
			"$defs":{"v":{"type":"` + kind + `"}}}`)
	}
	g, err := grammar.Calls(grammar.Call{Name: "a", Parameters: schema("n", "integer")}, grammar.Call{Name: `b"`, Parameters: schema("t", "boolean")},
		grammar.Call{Name: "c"}, grammar.Call{Name: "d", Parameters: json.RawMessage(" {} ")})
	require.NoError(t, err)
	for text, want := range map[string]bool{
		`{"name": "a", "arguments": {"n": 4}}`:         true,
		`{"name":"b\"","arguments":{"t":true}}`:        true,
		`{"name":"c","arguments":{"any":[1,"thing"]}}`: true,
		`{"name":"d","arguments":{}}`:                  true,
		`{"name":"a","arguments":{"n":true}}`:          false,
		`{"name":"a","arguments":{"t":true}}`:          false,
		`{"name":"b\"","arguments":{"t":4}}`:           false,
		`{"name":"c","arguments":7}`:                   false,
		`{"name":"d","arguments":7}`:                   false,
		`{"name":"e","arguments":{}}`:                  false,
		`{"arguments":{}}`:                             false,
	} {
		require.Equal(t, want, accepts(g, text), text)
	}
	_, err = grammar.Calls()
	require.ErrorContains(t, err, "no function")
	_, err = grammar.Calls(grammar.Call{Name: "f", Parameters: json.RawMessage(`{"type":"none"}`)})
	require.ErrorContains(t, err, `function "f": #: there is no type "none"`)
}

func ExampleCalls() {
	g, err := grammar.Calls(grammar.Call{Name: "weather", Parameters: json.RawMessage(`{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}`)})
	if err != nil {
		panic(err)
	}
	s, ok := g.Start().Next([]byte(`{"name": "weather", "arguments": {"city": "Rome"}}`))
	fmt.Println(ok, s.Done())
	// Output: true true
}
