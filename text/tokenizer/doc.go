// SPDX-License-Identifier: Apache-2.0

// Package tokenizer makes tokens of texts, and texts of tokens, as language models were trained: by a tokenizer.json of
// Hugging Face, or by the vocabulary in a GGUF file.
//
//	t, err := tokenizer.Open("tokenizer.json")
//	ids, err := t.Encode("Hello, world", tokenizer.EncodeOptions{Special: true})
//	text, err := t.Decode(ids, false)
//
// # Parts
//
// A text is divided at added tokens, normalised, divided into words, and each word becomes tokens by the model: BPE of
// characters or of bytes, Unigram, WordPiece or a list of words. Tokens are put around, what is too long is cut, and
// what is too short is filled up, as the file says. All types that tokenizers 0.23 writes are read; another one is an
// error that names the part. Dropout of merges is for training, and not done. Patterns have the syntax of Oniguruma,
// with what is looked for ahead and behind.
//
// # Offsets
//
// [Tokenizer.EncodeOffsets] tells as well which bytes of the text each token comes from. These are the offsets of
// tokenizers 0.23, which counts characters, but for two cases: behind characters that BPE leaves out, because it has no
// token for unknown ones, tokens come from where they are in the text; and a token that was put around is marked as
// such where one post-processor follows another one.
//
// # GGUF
//
// Tokens agree with llama.cpp 0.7.0. A file says by a name (tokenizer.ggml.pre) how texts are divided into words; all
// names that llama.cpp knows are read, and another one is an error. With some of them, and with WordPiece, llama.cpp
// makes other tokens than the tokenizer.json that a model was trained with:
//   - gpt-4o, tekken, kimi-k2, youtu and their kin: letters outside ASCII have no case, and accents are no part of words;
//   - tiny_aya, cohere2moe, superbpe and afmoe: other digits are numbers, and numbers are divided elsewhere;
//   - deepseek-llm and deepseek-coder: no word is made of spaces outside ASCII;
//   - WordPiece: marks that take room, such as vowels of Devanagari, are left out, and a syllable of Hangul becomes its first letter;
//   - Unigram: a character without a token is unknown, also where there are tokens of bytes.
//
// The folder of the model has the tokens of its training. Unlike llama.cpp, tokenizer.ggml.normalizer.nfc, lowercase
// and strip_accents are obeyed with any vocabulary, characters that Unicode 15.1 and 16 added have their kinds, and
// bytes that would be a surrogate are no character.
//
// # Added tokens
//
// Of added tokens that the normalizer makes one text the first one is found, where tokenizers takes any of them. An
// added token that the normalizer makes empty is never found, where tokenizers cuts texts at each character.
//
// # Streams
//
// A [Stream] makes text of tokens as they come, and never gives a part of a character.
package tokenizer
