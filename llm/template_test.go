package llm

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTemplateText compares the whitespace and the literals of templates with what transformers 5 makes of them.
func TestTemplateText(t *testing.T) {
	messages := []Message{{Role: "user", Content: " Hi "}, {Role: "assistant", Content: "yes", More: map[string]any{"name": "é", "id": 7}}}
	tools := []any{json.RawMessage(`{"type":"function","function":{"name":"f","description":"<d>","parameters":{"type":"object","properties":{}}}}`)}
	for _, c := range []struct{ template, want string }{
		{"{% for m in messages %}\n{% if m.role == 'user' %}\n{{ '<|user|>\n' + m.content + '</s>' }}\n{% elif m.role == 'assistant' %}\n{{ '<|assistant|>\n' + m.content }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}",
			"<|user|>\n Hi </s>\n<|assistant|>\nyes\n<|assistant|>\n"},
		{"{% for m in messages %}{{ m.content | trim }}\n{% endfor %}end\n",
			"Hi\nyes\nend"},
		{"{{ messages | tojson }}{% for k in messages[1] %}{{ k }}{% endfor %}",
			"[{\"role\": \"user\", \"content\": \" Hi \"}, {\"role\": \"assistant\", \"content\": \"yes\", \"id\": 7, \"name\": \"é\"}]rolecontentidname"},
		{"{% for m in messages %}{{ m.role }} {% endfor %}",
			"user assistant "},
		{"a \n  {%- if true +%}\nb{% endif %}\n\n{%+ if true %}  c {{- 'd' -}} \n e{% endif %}  {# x #}  f",
			"a\nb\n  cde    f"},
		{"x\n  {%+ if true %}y{% endif %}",
			"x\n  y"},
		{"  {% if true %}  \n  g {%- endif -%}\n  h  \n  {% set y = 1 %}\n{{ y }}\n\n",
			"  \n  gh  \n1\n"},
		{"{{ {'a': {'b': '}}'}}['a']['b'] }}{% set q = \"%}\" %}{{ q }}\r\nz",
			"}}%}\nz"},
		{"{%- raw -%}  {{ x }} {% y %}\n{% endraw %}\n|{% raw %}\n k \n  {%- endraw +%}\nl",
			"{{ x }} {% y %}\n|\n k\nl"},
		{"{{ '\\u00e9\\x41\\r' }}|{{ \"\\\\n\" }}|\\n\"q\" {{ 'it\\'s' }}",
			"éA\r|\\n|\\n\"q\" it's"},
		{"{{ tools | tojson(indent=2) }}\n{{ tools|tojson }}\n{{ {'b': [1, none], 'a': 1.5} | tojson(separators=(',', ':')) }}{{ [] | tojson(indent=4) }}{{ ' | tojson' }}",
			"[\n  {\n    \"type\": \"function\",\n    \"function\": {\n      \"name\": \"f\",\n      \"description\": \"<d>\",\n      \"parameters\": {\n        \"type\": \"object\",\n        \"properties\": {}\n      }\n    }\n  }\n]\n[{\"type\": \"function\", \"function\": {\"name\": \"f\", \"description\": \"<d>\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}}]\n{\"b\":[1,null],\"a\":1.5}[] | tojson"},
	} {
		compiled, err := newTemplate(c.template, nil)
		require.NoError(t, err, c.template)
		got, err := compiled.render(messages, TemplateOptions{Tools: tools})
		require.NoError(t, err, c.template)
		require.Equal(t, c.want, got, c.template)
	}
	for _, text := range []string{"a {{ b", "a {% if b", "{# b", "{{ 'b }}", "{% raw %} b"} {
		_, err := newTemplate(text, nil)
		require.ErrorContains(t, err, "the template of chats", text)
	}
}
