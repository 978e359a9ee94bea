// SPDX-License-Identifier: Apache-2.0

// Package llm runs language models: a GGUF file, or a folder of Hugging Face with config.json, safetensors and
// tokenizer.json.
//
//	m, err := llm.Load("model.gguf", llm.LoadOptions{})
//	for piece, err := range m.Generate(ctx, "Once upon a time", llm.Options{MaxTokens: 100}) {
//		fmt.Print(piece.Text)
//	}
//
// # Models
//
// A [Description] says how a model computes: norms, rotary positions and their scaling, shared heads, gates, bounds of
// scores, windows, experts, DeepSeek's narrow keys. It is read from the file. docs/llm.md lists the
// families of models that there are; another architecture is an error that lists the names.
//
// # Generation
//
// [Model.Generate], [Model.Chat] and [Model.GenerateTokens] are iterators: pieces come as they are generated, and the
// end of the loop or of the context cancels. [Sampling] chooses tokens in llama.cpp's order (package llm/sampling). A
// grammar of package llm/grammar, such as the grammar of a JSON schema, restricts an answer. [Model.Embed] makes
// vectors of texts.
//
// # Many sequences
//
// Goroutines share a model. Their answers are computed together, up to LoadOptions.Sequences at once: a token of each
// sequence, and the tokens of short prompts beside them, are rows of one pass, which reads the weights once for all. A
// longer prompt is read alone, in pieces, in turn with the others. Keys and values lie in one cache of pages; attention
// reads the pages of each row where they are, up to the last place that the row sees. A prompt that begins as an
// earlier one did has the pages of that one, as long as nobody else has taken them. Where pages run out, the youngest
// sequence waits and begins anew.
//
// # Programs
//
// All passes of one shape are one program. A sequence alone sees the whole room that its longest answer needs, so that
// nothing is compiled after the second token. Several sequences see a power of two of places. Rows of a pass, and the
// tokens of a prompt, are as many as a power of two, or three quarters of one: a server compiles a few dozen programs
// at most. The cache is written in place.
package llm
