// SPDX-License-Identifier: Apache-2.0

// Package jinja renders the templates of chats that come with language models, and gives the text that Jinja2 gives in
// Hugging Face's transformers: an immutable sandbox with trim_blocks and lstrip_blocks, break and continue, the tag
// generation, the filter tojson with its options, raise_exception and strftime_now.
//
//	t, err := jinja.Parse(`{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}`)
//	prompt, err := t.Render(map[string]any{"messages": messages})
//
// Values are JSON's, and behave as Python's: members of objects keep their order, None and True are written as
// Python writes them, 2.0 is no integer, and strings are indexed by characters. Parts that are not supported are an
// [Error] with line and column, and never another text: template inheritance, include and import, integers beyond 64
// bits, and a few filters and methods (random, urlize, encode and others), which the error names.
//
// Templates come with files and are not trusted. A template can only compute: ranges have at most 100,000 numbers, as
// in Jinja2's sandbox, calls nest 200 deep, and a rendering ends with an error after [MaxSteps] steps. Text takes a
// step for 16 bytes, and for 8 bytes where a filter or a method reads it.
package jinja
