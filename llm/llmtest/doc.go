// SPDX-License-Identifier: Apache-2.0

// Package llmtest writes small language models with random weights, for tests and for trying what runs models.
//
//	err := llmtest.WriteGGUF("small.gguf", llmtest.Small)
//
// The models are of the architecture llama, with tokens for all bytes and some words, and with a template for chats.
// Their answers have no meaning.
package llmtest
