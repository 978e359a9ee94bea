package tokenizer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// TestBroken: with a tokenizer.json texts agree with bytes.decode("utf-8", "replace") in Python; with a GGUF file each
// byte is a character of its own, as in llama.cpp 0.7.0.
func TestBroken(t *testing.T) {
	for text, want := range map[string][2]string{
		"a\xe2\x84":              {"a\uFFFD", "a\uFFFD\uFFFD"},
		"\x80\x80":               {"\uFFFD\uFFFD", "\uFFFD\uFFFD"},
		"\xf0\x9f\x98b\xc3":      {"\uFFFDb\uFFFD", "\uFFFD\uFFFD\uFFFDb\uFFFD"},
		"\xed\xa0\x80":           {"\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD"},
		"\xf4\x90\x80\xff\uFFFD": {"\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
		"\xe4\xe4\xb8\xad\xe4":   {"\uFFFD中\uFFFD", "\uFFFD中\uFFFD"},
	} {
		require.Equal(t, want[0], given(text, brokenPart).text, "%q", text)
		require.Equal(t, want[1], given(text, brokenByte).text, "%q", text)
	}
}

// TestGGUFOfBytes: vocabularies of GGUF files give the tokens of llama.cpp 0.7.0 for bytes that are no character, for
// spaces, and for characters without a token.
func TestGGUFOfBytes(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	for _, c := range []struct {
		kind, key, text, want string
	}{
		{"llama", "", "\xe4", "▁ <0xE4>"},
		{"llama", "", "\xe4a", "▁ <0xE4> <0x61>"}, // a byte takes along as many as a character that begins with it
		{"t5", "", " a", "▁ a"},
		{"t5", "", "é", "<unk>"},
		{"t5", "add_space_prefix", " ", "▁"},
		{"t5", "add_space_prefix", " a", "▁ ▁ a"},
		{"t5", "remove_extra_whitespaces", "  a  a ", "▁ a ▁ a"},
		{"gpt2", "add_space_prefix", "a", "a"},
	} {
		f.Metadata["tokenizer.ggml.model"], f.Metadata["tokenizer.ggml.pre"] = c.kind, "gpt-2"
		for _, key := range []string{"add_space_prefix", "remove_extra_whitespaces"} {
			delete(f.Metadata, "tokenizer.ggml."+key)
		}
		if c.key != "" {
			f.Metadata["tokenizer.ggml."+c.key] = true
		}
		k, err := FromGGUF(f)
		require.NoError(t, err)
		var texts []string
		ids, err := k.Encode(c.text, EncodeOptions{})
		require.NoError(t, err)
		for _, id := range ids {
			texts = append(texts, k.Token(id))
		}
		require.Equal(t, c.want, strings.Join(texts, " "), "%s %s: %q", c.kind, c.key, c.text)
	}
}
