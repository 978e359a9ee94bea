package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// TestJoined: the text of tokens that is put together at once is the text that decoders make, with bytes of no
// character, marks made of bytes and special tokens.
func TestJoined(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	var list []*Tokenizer
	for _, kind := range []string{"llama", "t5", "bert", "gpt2", "gemma4", "mmbert", "sarvam-moe"} {
		f.Metadata["tokenizer.ggml.model"], f.Metadata["tokenizer.ggml.pre"] = kind, "gpt-2"
		if kind == "mmbert" || kind == "sarvam-moe" {
			f.Metadata["tokenizer.ggml.model"], f.Metadata["tokenizer.ggml.pre"] = "gpt2", kind
		}
		for _, space := range []bool{true, false} {
			f.Metadata["tokenizer.ggml.add_space_prefix"] = space
			k, err := FromGGUF(f)
			require.NoError(t, err)
			list = append(list, k)
		}
	}
	const levels = `"Ã":0,"©":1,"a":2,"Ġ":3,"é一":4,"â":5,"ĸ":6,"ģ":7`
	const pieces = `"<0xE2>":0,"<0x96>":1,"<0x81>":2,"a":3,"▁":4,"▁▁b":5,"<0x20>":6,"一":7,"<0x41>":8,"c▁":9`
	const sentencePiece = `{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"}`
	for _, c := range [][2]string{{levels, `{"type":"ByteLevel"}`}, {pieces, `{"type":"Sequence","decoders":[` + sentencePiece + `]}`},
		{pieces, `{"type":"Sequence","decoders":[` + sentencePiece + `,{"type":"Strip","content":" ","start":1,"stop":0}]}`},
		{pieces, `{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}`}, {pieces, `{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"}`}} {
		k, err := Parse([]byte(`{"model":{"type":"BPE","merges":[],"vocab":{` + c[0] + `}},"decoder":` + c[1] + `}`))
		require.NoError(t, err)
		list = append(list, k)
	}
	random := rand.New(rand.NewPCG(1, 2))
	at := 0
	for _, k := range list {
		require.NotNil(t, k.joined)
		var mark []int // in bytes
		for _, name := range []string{"<0xE2>", "<0x96>", "<0x81>"} {
			if id, ok := k.ID(name); ok {
				mark = append(mark, id)
			}
		}
		for range 2000 {
			ids := make([]int, random.IntN(6))
			for i := range ids {
				ids[i] = random.IntN(k.Size()+2) - 1
			}
			if random.IntN(8) == 0 {
				ids = append(ids, mark...)
			}
			special := random.IntN(2) == 0
			require.Equal(t, k.decode(ids, special), k.decoded(ids, special), ids)
			stream, text := k.Stream(), ""
			for _, id := range ids {
				text += stream.Next(id)
			}
			require.Equal(t, k.decode(ids, false), text+stream.Flush(), ids)
			if _, ok := k.joined.decode(k, ids, special); ok {
				at++
			}
		}
	}
	require.Greater(t, at, 2000*len(list)/3, "most texts are put together at once")
}

// TestTidied: gaps are closed as by one replacement behind another, as tokenizers has them.
func TestTidied(t *testing.T) {
	replaced := func(s string) string {
		for _, p := range []string{" .|.", " ?|?", " !|!", " ,|,", " ' |'", " n't|n't", " 'm|'m", " do not| don't", " 's|'s", " 've|'ve", " 're|'re"} {
			from, to, _ := strings.Cut(p, "|")
			s = strings.ReplaceAll(s, from, to)
		}
		return s
	}
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{" ", " ", ".", "?", "!", ",", "'", "n't", "'m", "do not", "s", "'ve", "re", "a"}
	for range 20000 {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		require.Equal(t, replaced(b.String()), tidied(b.String()), "%q", b.String())
	}
}
