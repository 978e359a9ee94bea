package reply_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-acap/acap/llm/reply"
)

// An answer of a model whose template has <think> and <tool_call>, as it comes.
func ExampleReader() {
	template := "<think>{{ reasoning }}</think> {{ text }} <tool_call>{{ call }}</tool_call>"
	s := reply.Of(func(text string) bool { return strings.Contains(template, text) })
	r := s.Reader(reply.Options{Tools: []json.RawMessage{[]byte(`{"type":"function","function":{"name":"weather"}}`)}})
	defer r.Close()
	var all reply.Part
	for _, piece := range []string{"<think>Rain?</thi", "nk>I look. <tool_call>", `{"name": "weather", "arguments": {"ci`, `ty": "Graz"}}</tool_call>`} {
		part := r.Next(piece)
		fmt.Printf("%q %q %+v\n", part.Text, part.Reasoning, part.Calls)
		all.Add(part)
	}
	all.Add(r.End())
	fmt.Println(all.Calls[0].Name, all.Calls[0].Arguments)
	// Output:
	// "" "Rain?" []
	// "I look. " "" []
	// "" "" [{Index:0 Name:weather Arguments:{"ci}]
	// "" "" [{Index:0 Name: Arguments:ty": "Graz"}}]
	// weather {"city": "Graz"}
}
