package jinja_test

import (
	"fmt"

	"github.com/go-acap/acap/text/jinja"
)

func Example() {
	t, err := jinja.Parse("{% for m in messages %}<|{{ m.role }}|>{{ m.content|trim }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}")
	if err != nil {
		panic(err)
	}
	prompt, err := t.Render(map[string]any{
		"messages":              []map[string]string{{"role": "user", "content": " Who are you? "}},
		"add_generation_prompt": true,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(prompt)
	_, err = jinja.Parse("{% for m in messages %}\n{{ m.role }")
	fmt.Println(err)
	// Output:
	// <|user|>Who are you?
	// <|assistant|>
	// line 2, column 11: unexpected "}"
}
