package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrUnknown: what is unknown is an error if the file wants a token for it and the vocabulary has none. The tokens,
// and that there are none, are those of tokenizers 0.23.1.
func TestErrUnknown(t *testing.T) {
	for model, want := range map[string]error{
		`{"type":"BPE","vocab":{"a":0},"merges":[]}`:                                                                             nil,
		`{"type":"BPE","unk_token":"<u>","vocab":{"a":0},"merges":[]}`:                                                           ErrUnknown,
		`{"type":"BPE","unk_token":"<u>","byte_fallback":true,"vocab":{"a":0,"<0x62>":1},"merges":[]}`:                           ErrUnknown,
		`{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":9,"vocab":{"a":0}}`: ErrUnknown,
		`{"type":"WordLevel","unk_token":"[UNK]","vocab":{"a":0}}`:                                                               ErrUnknown,
		`{"type":"Unigram","unk_id":null,"vocab":[["a",-1.0]]}`:                                                                  ErrUnknown,
		`{"type":"Unigram","unk_id":null,"byte_fallback":true,"vocab":[["a",-1.0],["<0x62>",-2.0]]}`:                             ErrUnknown,
	} {
		k, err := Parse([]byte(`{"pre_tokenizer":{"type":"Whitespace"},"model":` + model + `}`))
		require.NoError(t, err, model)
		ids, err := k.Encode("a", EncodeOptions{})
		require.NoError(t, err, model)
		require.Equal(t, []int{0}, ids, model)
		ids, err = k.Encode("a zz", EncodeOptions{})
		_, offsets := k.EncodeOffsets("a zz", EncodeOptions{})
		if want == nil {
			require.NoError(t, err, model)
			require.NoError(t, offsets, model)
			require.Equal(t, []int{0}, ids, model)
			continue
		}
		require.ErrorIs(t, err, want, model)
		require.ErrorIs(t, offsets, want, model)
		require.ErrorContains(t, err, `no token for what is unknown: "z`, model)
	}
}
