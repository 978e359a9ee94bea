// SPDX-License-Identifier: Apache-2.0

// Package tokenizer makes tokens of texts, and texts of tokens, as language models were trained: by a tokenizer.json of Hugging Face, or by the
// vocabulary in a GGUF file.
//
//	t, err := tokenizer.Open("tokenizer.json")
//	ids := t.Encode("Hello, world", tokenizer.EncodeOptions{Special: true})
//	text := t.Decode(ids, false)
//
// # Parts
//
// A text is divided at added tokens, normalised, divided into words, and each word becomes tokens by the model: BPE of characters or of bytes, Unigram,
// WordPiece or a list of words. Tokens are put around, what is too long is cut, and what is too short is filled up, as the file says. All types that
// tokenizers 0.23 writes are read; another one is an error that names the part. Patterns have the syntax of Oniguruma, with what is looked for ahead and behind.
//
// # Streams
//
// A [Stream] makes text of tokens as they come, and never gives a part of a character.
package tokenizer
