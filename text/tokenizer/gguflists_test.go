package tokenizer

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/gguf"
)

// TestListsOfGGUF: lists of a file that do not fit its tokens are refused by name.
func TestListsOfGGUF(t *testing.T) {
	word := func(data []byte, text string) []byte {
		return append(binary.LittleEndian.AppendUint64(data, uint64(len(text))), text...)
	}
	texts := func(data []byte, key string, list ...string) []byte {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(word(data, key), 9), 8) // a list of strings
		data = binary.LittleEndian.AppendUint64(data, uint64(len(list)))
		for _, text := range list {
			data = word(data, text)
		}
		return data
	}
	zeros := func(data []byte, key string, count int) []byte {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(word(data, key), 9), 6) // a list of f32
		return append(binary.LittleEndian.AppendUint64(data, uint64(count)), make([]byte, 4*count)...)
	}
	for _, c := range []struct {
		kind          string
		kinds, scores int
		want          string
	}{
		{"llama", 2, 3, "tokenizer.ggml.token_type has 2 entries for 3 tokens"},
		{"llama", 3, 4, "tokenizer.ggml.scores has 4 entries for 3 tokens"},
		{"gpt2", 3, 3, `tokenizer.ggml.merges: merge 1 is "ab"; want two tokens with a space`},
	} {
		data := binary.LittleEndian.AppendUint32([]byte("GGUF"), 3)
		data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(data, 0), 5) // no tensors, five entries
		data = word(binary.LittleEndian.AppendUint32(word(data, "tokenizer.ggml.model"), 8), c.kind)
		data = texts(data, "tokenizer.ggml.tokens", "a", "b", "ab")
		data = texts(data, "tokenizer.ggml.merges", "a b", "ab")
		data = zeros(zeros(data, "tokenizer.ggml.token_type", c.kinds), "tokenizer.ggml.scores", c.scores)
		f, err := gguf.Read(data, "lists")
		require.NoError(t, err)
		_, err = FromGGUF(f)
		require.ErrorContains(t, err, c.want)
	}
}
