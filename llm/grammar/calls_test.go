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

// TestProseWithCalls: text is free up to the mark of a call, and what stands behind the mark is a call.
func TestProseWithCalls(t *testing.T) {
	f := grammar.Call{Name: "f", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)}
	g, err := grammar.ProseWithCalls("<<call>", "</call>", f)
	require.NoError(t, err)
	const call = `{"name":"f","arguments":{"n":4}}`
	for text, want := range map[string]bool{
		"": true, " ": true, "any {text} <call> of <<cal> <<<cal": true, "\u3000a": true,
		"a <<call>" + call + "</call>": true, "<<call>\n" + call + "\u00a0</call> and <<<call>" + call + "</call>\n": true,
		call: true, "\u3000\n" + call + " ": true,
		"<<call>": false, "<<<call>": false, "<<call></call>": false, "<<call>" + call: false, "a<<call>no</call>": false,
		"<<call>" + call + "</call><<call>{}</call>": false, `<<call>{"name":"f","arguments":{"n":"4"}}</call>`: false,
		`<<call>{"name":"g","arguments":{"n":4}}</call>`: false, "\u00a0{}": false, "{": false, call + "a": false,
	} {
		require.Equal(t, want, accepts(g, text), text)
	}
	state := g.Start() // tokens that stand for no text come in text, and not in a call
	for token, text := range []string{"a", "", "<<call", "", "<<call>"} {
		next, ok := state.NextToken(token, text)
		require.True(t, ok)
		state = next
	}
	_, ok := state.NextToken(1, "")
	require.False(t, ok)
	for _, marks := range [][2]string{{"", "b"}, {"a", ""}, {"{", "b"}, {" a", "b"}} {
		_, err = grammar.ProseWithCalls(marks[0], marks[1], f)
		require.ErrorContains(t, err, "cannot stand")
	}
	_, err = grammar.ProseWithCalls("a", "b")
	require.ErrorContains(t, err, "no function")
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
