package tokenizer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/text/tokenizer"
)

// TestText: a token's bytes are as the decoder writes them, alone or in a sequence of sequences.
func TestText(t *testing.T) {
	for decoder, want := range map[string][]string{
		`{"type":"ByteLevel"}`: {" a", "\xC3", "▁a", "<0xC3>"},
		`{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Sequence","decoders":[{"type":"ByteLevel"}]}]}`: {" a", "\xC3", "▁a", "<0xC3>"},
		`{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]}`:                               {"Ġa", "Ã", " a", "\xC3"},
		`{"type":"Metaspace"}`: {"Ġa", "Ã", " a", "\xC3"},
		`null`:                 {"Ġa", "Ã", "▁a", "<0xC3>"},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"Ġa":0,"Ã":1,"▁a":2,"<0xC3>":3},"unk_token":"Ã"},"decoder":` + decoder + `}`))
		require.NoError(t, err, decoder)
		for id, text := range want {
			require.Equal(t, text, k.Text(id), "token %d by %s", id, decoder)
		}
	}
}

// TestNesting: sequences may be in sequences, but not without end.
func TestNesting(t *testing.T) {
	for depth, refused := range map[int]bool{64: false, 65: true} {
		part := strings.Repeat(`{"type":"Sequence","normalizers":[`, depth) + `{"type":"Lowercase"}` + strings.Repeat(`]}`, depth)
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":7,"b":0},"unk_token":"b"},"normalizer":` + part + `}`))
		if refused {
			require.ErrorContains(t, err, "normalizer: sequences are nested too deeply")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []int{7}, k.Encode("A", tokenizer.EncodeOptions{}), "all of the sequence is read")
	}
}
