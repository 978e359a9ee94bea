package reply

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestToolCalls: calls are read wherever they stand, in the form that the template of the model has. What is no call is
// text. Texts are those that the templates of the models write for calls in the history of a chat.
func TestToolCalls(t *testing.T) {
	tools := []json.RawMessage{[]byte(`{"type":"function","function":{"name":"f","parameters":{"type":"object",
		"properties":{"s":{"type":"string"},"n":{"type":"integer"},"l":{"type":"array"}}}}}`)}
	const hermes, mistral, llama, deepseek, harmony = "<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<｜tool▁calls▁begin｜>", "<|channel|>"
	for _, c := range []struct {
		mark, text string
		want       []string // the rest, then names and arguments
	}{
		{hermes, `a <tool_call> {"name":"f","arguments":{"x":1}} </tool_call> b`, []string{"a  b", "f", `{"x":1}`}},
		{hermes, `{"name":"f","parameters":{"x":1}}`, []string{"", "f", `{"x":1}`}},
		{hermes, `{"name":"f","arguments":"{\"x\":1}"}`, []string{"", "f", `{"x":1}`}},
		{hermes, ` {"name":"f"} `, []string{"", "f", `{}`}},
		{hermes, `<tool_call>{"name":"f"}</tool_call><tool_call>{"name":"g"}`, []string{"", "f", `{}`, "g", `{}`}},
		{hermes, `<tool_call>{"name":""}</tool_call> a`, []string{`<tool_call>{"name":""}</tool_call> a`}},
		{hermes, `<tool_call>{"name":`, []string{`<tool_call>{"name":`}},
		{hermes, ` {"a":1} `, []string{` {"a":1} `}},
		{hermes, `[TOOL_CALLS][{"name":"f"}]`, []string{`[TOOL_CALLS][{"name":"f"}]`}},
		{hermes, "<tool_call>f\n<arg_key>s</arg_key>\n<arg_value>1</arg_value>\n<arg_key>n</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
			[]string{"", "f", `{"s":"1","n":1}`}},
		{"<function=", "So:\n<tool_call>\n<function=f>\n<parameter=s>\n12\n 3\n</parameter>\n<parameter=l>\n[1, 2]\n</parameter>\n</function>\n</tool_call>",
			[]string{"So:", "f", `{"s":"12\n 3","l":[1, 2]}`}},
		{"<function=", "<function=f>\n</function>", []string{"", "f", `{}`}},
		{mistral, `[TOOL_CALLS][{"name": "f", "arguments": {"n": 1}, "id": "123456789"}, {"name": "g", "arguments": {}}]`,
			[]string{"", "f", `{"n": 1}`, "g", `{}`}},
		{mistral, `Yes.[TOOL_CALLS]f[ARGS]{"n": 1}[TOOL_CALLS]g[CALL_ID]123456789[ARGS]{}`, []string{"Yes.", "f", `{"n": 1}`, "g", `{}`}},
		{mistral, `[TOOL_CALLS]`, []string{`[TOOL_CALLS]`}},
		{llama, `<|python_tag|>{"name": "f", "parameters": {"n": 1}}; {"name": "g", "parameters": {}}`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{llama, `{"name": "f", "parameters": {"n": 1}}; {"name": "g", "parameters": {}}`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{llama, `<|python_tag|>brave_search.call(query="a, b", n=3)`, []string{"", "brave_search", `{"query":"a, b","n":3}`}},
		{llama, `<|python_tag|>print(1)`, []string{`<|python_tag|>print(1)`}},
		{deepseek, "a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"n\": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
			[]string{"a", "f", `{"n": 1}`, "g", `{}`}},
		{deepseek, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"n\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", []string{"", "f", `{"n": 1}`}},
		{harmony, `<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n": 1}`,
			[]string{"", "f", `{"n": 1}`}},
		{"<|tool_calls_section_begin|>", "a<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"n\": 1}<|tool_call_end|>" +
			"<|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>", []string{"a", "f", `{"n": 1}`, "g", `{}`}},
		{"<|tool_calls_section_begin|>", "<|tool_call_begin|>f<|tool_call_argument_begin|>{\"n\": 1}", []string{"", "f", `{"n": 1}`}},
		{"<|START_ACTION|>", "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"n\": 1}}\n]<|END_ACTION|>",
			[]string{"", "f", `{"n": 1}`}},
		{"<|START_RESPONSE|>", "<|START_RESPONSE|>a\n<b<|END_RESPONSE|>", []string{"a\n<b"}},
		{"<TOOLCALL>", `<TOOLCALL>[{"name": "f", "arguments": {"n": 1}}, {"name": "g", "arguments": {}}]</TOOLCALL>`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{"<tool_calls>", `a <tool_calls>[{"name": "f", "arguments": {"n": 1}}]</tool_calls>`, []string{"a", "f", `{"n": 1}`}},
		{"<tool_calls>", `<tool_calls>none</tool_calls>`, []string{`<tool_calls>none</tool_calls>`}},
		{"<seed:tool_call>", "<seed:tool_call>\n<function=f>\n<parameter=n>1</parameter>\n</function>\n<function=g>\n</function>\n</seed:tool_call>",
			[]string{"", "f", `{"n":1}`, "g", `{}`}},
		{"<minimax:tool_call>", "a\n<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"n\">1</parameter>\n</invoke>\n</minimax:tool_call>",
			[]string{"a", "f", `{"n":1}`}},
		{gemmaBegin, `a<|tool_call>call:f{s:<|"|>b, {c}<|"|>,l:[<|"|>x<|"|>,-7,1.5e10,true],o:{p:null,q:[]}}<tool_call|><|tool_call>call:g{}<tool_call|>`,
			[]string{"a", "f", `{"s":"b, {c}","l":["x",-7,1.5e10,true],"o":{"p":null,"q":[]}}`, "g", `{}`}},
		{gemmaBegin, `<|tool_call>call:f{s:b}<tool_call|>`, []string{`<|tool_call>call:f{s:b}<tool_call|>`}},
		{"<function=", `<function=f>{"n": 1}</function><function=g>{}</function>`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{harmony, ` to=functions.f<|channel|>commentary<|message|>{"n": 1}<|call|>`, []string{"", "f", `{"n": 1}`}},
		{harmony, `<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b`, []string{"b"}},
	} {
		syntax := Of(func(text string) bool { return text == c.mark || text == hermes && c.mark == "<function=" })
		for _, bytes := range []int{1, 3, len(c.text)} { // of a piece
			all := read(syntax, Options{Tools: tools}, c.text, bytes)
			got := []string{all.Text}
			if all.Calls != nil {
				got[0] = strings.TrimSpace(all.Text)
			}
			for i, call := range all.Calls {
				require.Equal(t, i, call.Index)
				got = append(got, call.Name, call.Arguments)
			}
			require.Equal(t, c.want, got, c.text)
		}
	}
}

// read reads an answer in pieces of a number of bytes.
func read(s Syntax, o Options, text string, bytes int) (all Part) {
	r := s.Reader(o)
	defer r.Close()
	for piece := range slices.Chunk([]byte(text), bytes) {
		all.Add(r.Next(string(piece)))
	}
	all.Add(r.End())
	return all
}

// TestReasoning: reasoning in front of an answer is no text, in whatever pieces the answer comes. Texts are from Qwen
// 3, DeepSeek R1 and Magistral.
func TestReasoning(t *testing.T) {
	const think, mistral = "</think>", "[THINK]"
	for _, c := range []struct {
		mark, prompt, text string
		raw                bool
		want               Part
	}{
		{think, "", "<think>\nLet me  see.\n\n</think>\n\nIt is 4.\n", false, Part{Text: "It is 4.\n", Reasoning: "Let me  see."}},
		{think, "<|assistant|><think>\n", "Let me see.</think>It is 4.", false, Part{Text: "It is 4.", Reasoning: "Let me see."}},
		{think, "<|assistant|><think>\n\n</think>\n\n", "It is 4.", false, Part{Text: "It is 4."}},
		{think, "", "<think>\n\n</think>\n\nIt is 4.", false, Part{Text: "It is 4."}},
		{think, "", "<think>never ended ", false, Part{Reasoning: "never ended"}},
		{think, "", "<thin", false, Part{Text: "<thin"}},
		{think, "", "The tag <think> begins thoughts.", false, Part{Text: "The tag <think> begins thoughts."}},
		{think, "", "<think>a</think>b", true, Part{Text: "<think>a</think>b"}},
		{think, "", `<think><tool_call>{"name":"g"}</tool_call></think><tool_call>{"name":"f"}</tool_call>`, false,
			Part{Reasoning: `<tool_call>{"name":"g"}</tool_call>`, Calls: []Call{{0, "f", "{}"}}}},
		{think, "<think>\n", "a</think>b", true, Part{Text: "<think>\na</think>b"}},
		{think + kimi.mark, "", kimi.mark + `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>`, false, Part{Calls: []Call{{0, "f", "{}"}}}},
		{think + kimi.mark, "<think>", "a " + kimi.mark + `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>`, false,
			Part{Reasoning: "a", Calls: []Call{{0, "f", "{}"}}}},
		{channelMark, "", "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", true,
			Part{Text: "<|channel|>analysis<|message|>a<|end|>b"}},
		{"<|channel>thought<channel|>", "", "<|channel>thought\nI see.\n<channel|>It is 4.", false, Part{Text: "It is 4.", Reasoning: "I see."}},
		{mistral, "", "[THINK]a[/THINK]b", false, Part{Text: "b", Reasoning: "a"}},
		{"none", "", "<think>a</think>b", false, Part{Text: "<think>a</think>b"}},
		{channelMark, "", "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", false, Part{Text: "b", Reasoning: "a"}},
		{channelMark, "", "<|channel|>analysis<|message|>a<|end|>", true, Part{Text: "<|channel|>analysis<|message|>a<|end|>"}},
	} {
		for _, bytes := range []int{1, 2, len(c.text)} {
			syntax := Of(func(text string) bool { return strings.Contains(c.mark, text) })
			require.Equal(t, c.want, read(syntax, Options{Prompt: c.prompt, Raw: c.raw, Tools: []json.RawMessage{[]byte("{}")}}, c.text, bytes), c.text)
		}
	}
}

// TestArgumentsStream: a call begins when its name is known, and its arguments come as the model writes them. A text
// that ends within arguments is a call with these.
func TestArgumentsStream(t *testing.T) {
	tools := []json.RawMessage{[]byte(`{"type":"function","function":{"name":"f"}}`)}
	for _, c := range []struct {
		mark   string
		pieces []string
		want   []string // name and arguments behind each piece
	}{
		{"<tool_call>", []string{`<tool_call>{"name":"f",`, `"arguments":{"a`, `":"}\"`, `"}`, `}</tool_call>`}, []string{"", `f {"a`, `":"}\"`, `"}`, ""}},
		{"<tool_call>", []string{`{"name":"f","arg`, `uments":{`, `}}`}, []string{"", "f {", "}"}},
		{"<tool_call>", []string{`{"name":"other","arguments":{`, `}}`}, []string{"", "other {}"}},
		{"<tool_call>", []string{`<tool_call>f<arg_key>a</arg_key>`, `<arg_value>1</arg_value>`, `</tool_call>`}, []string{"f ", `{"a":1`, `}`}},
		{"<function=", []string{"<function=f>", "<parameter=a>1</parameter>", "</function>"}, []string{"f ", `{"a":1`, `}`}},
		{"[TOOL_CALLS]", []string{`[TOOL_CALLS]f[ARGS]`, `{"a"`, `:1}`}, []string{"", `f {"a"`, `:1}`}},
		{"[TOOL_CALLS]", []string{`[TOOL_CALLS][{"name":"f","arguments":{`, `},"id":"1"},`, `{"name":"g","arguments":{}}]`}, []string{"f {", "}", "g {}"}},
		{"<|python_tag|>", []string{`<|python_tag|>{"name":"f","parameters":{`, `}};`, `{"name":"g","parameters":{`}, []string{"f {", "}", "g {"}},
		{"<｜tool▁calls▁begin｜>", []string{"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{", "}<｜tool▁call▁end｜>"}, []string{"f {", "}"}},
		{channelMark, []string{" to=functions.f<|channel|>commentary<|message|>{", "}<|call|>"}, []string{"f {", "}"}},
	} {
		r := Of(func(text string) bool { return text == c.mark }).Reader(Options{Tools: tools})
		var got []string
		for _, piece := range c.pieces {
			p, text := r.Next(piece), ""
			require.Empty(t, p.Text)
			for _, call := range p.Calls {
				if call.Name != "" {
					text += call.Name + " "
				}
				text += call.Arguments
			}
			got = append(got, text)
		}
		require.Equal(t, c.want, got, c.pieces)
		require.Empty(t, r.End(), c.pieces)
		r.Close()
	}
}
