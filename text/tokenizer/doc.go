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
// tokenizers 0.23 writes are read; another one is an error that names the part. Dropout of merges is for training, and not done. Patterns have the syntax of Oniguruma, with what is looked for ahead and behind.
//
// # GGUF
//
// A file says by a name (tokenizer.ggml.pre) how texts are divided into words. All names that llama.cpp b11669 knows are
// read. Words are those of the model's tokenizer.json. llama.cpp has other words for gpt-4o, tekken, kimi-k2, tiny_aya,
// youtu and their kin, because letters outside ASCII have no case in llama.cpp, and accents are no part of words; for
// tiny_aya, cohere2moe, superbpe and afmoe, because of digits outside ASCII; and for deepseek-llm and deepseek-coder,
// because of spaces outside ASCII. All other names give the tokens of llama.cpp, and so do the vocabularies of
// SentencePiece. With the vocabularies of WordPiece llama.cpp leaves out marks that take room, such as vowels of Devanagari,
// and leaves Hangul whole; BERT does neither.
//
// # Added tokens
//
// Of added tokens that the normalizer makes one text the first one is found, where tokenizers takes any of them. An added
// token that the normalizer makes empty is never found, where tokenizers cuts texts at each character.
//
// # Streams
//
// A [Stream] makes text of tokens as they come, and never gives a part of a character.
package tokenizer
