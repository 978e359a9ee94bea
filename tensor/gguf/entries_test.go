package gguf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/gguf"
)

// TestEntries: an entry of another type than it is looked up by is an error, as in llama.cpp, and so are two entries of
// one name. Entries that only some programs know may be of any type.
func TestEntries(t *testing.T) {
	const tokens = "tokenizer.ggml.tokens"
	number, words := func(b []byte) []byte { return little.AppendUint32(little.AppendUint32(b, 4), 7) }, func(b []byte) []byte { return text(little.AppendUint32(b, 8), "w") }
	list := func(kind uint32, one func([]byte) []byte) func([]byte) []byte {
		return func(b []byte) []byte {
			b = little.AppendUint64(little.AppendUint32(little.AppendUint32(b, 9), kind), 1)
			return append(b, one(nil)[4:]...)
		}
	}
	truth := func(b []byte) []byte { return append(little.AppendUint32(b, 7), 1) }
	numbers, texts := list(4, number), list(8, words)
	for _, c := range []struct {
		key   string
		value func([]byte) []byte
		fault string
	}{
		{"general.alignment", words, "general.alignment is a text, want a number"},
		{"general.architecture", number, "general.architecture is a number, want a text"},
		{"tokenizer.chat_template", numbers, "tokenizer.chat_template is a list of numbers, want a text"},
		{tokens, numbers, "tokenizer.ggml.tokens is a list of numbers, want a list of texts"},
		{tokens, words, "tokenizer.ggml.tokens is a text, want a list of texts"},
		{tokens, texts, ""},
		{"tokenizer.ggml.scores", texts, "tokenizer.ggml.scores is a list of texts, want a list of numbers"},
		{"tokenizer.ggml.bos_token_id", words, "tokenizer.ggml.bos_token_id is a text, want a number"},
		{"tokenizer.ggml.add_bos_token", number, "tokenizer.ggml.add_bos_token is a number, want a truth"},
		{"tokenizer.ggml.add_bos_token", truth, ""},
		{"tokenizer.chat_template", words, ""},
		{"x.y", texts, ""},
	} {
		one := c.value(text(nil, c.key))
		header := func(n uint64) []byte {
			return little.AppendUint64(little.AppendUint64(little.AppendUint32([]byte("GGUF"), 3), 0), n)
		}
		_, err := gguf.Read(append(header(1), one...), "f")
		if c.fault != "" {
			require.ErrorContains(t, err, "f: byte ")
			require.ErrorContains(t, err, c.fault)
			continue
		}
		require.NoError(t, err, c.key)
		_, err = gguf.Read(append(append(header(2), one...), one...), "f")
		require.ErrorContains(t, err, "two entries are named \""+c.key+"\"")
	}
	long := text(little.AppendUint32(text(little.AppendUint64(little.AppendUint64(little.AppendUint32([]byte("GGUF"), 3), 0), 1), "tokenizer.chat_template"), 8), string(make([]byte, 1<<20+1)))
	_, err := gguf.Read(long, "f")
	require.ErrorContains(t, err, "tokenizer.chat_template has more than 1048576 bytes")
}
