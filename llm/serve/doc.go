// SPDX-License-Identifier: Apache-2.0

// Package serve answers OpenAI's interface with a language model: /v1/chat/completions, /v1/responses, /v1/completions,
// /v1/embeddings and /v1/models, with streams, tools that are passed through, answers in JSON, and logarithms of
// probabilities; /health and /metrics beside them. /tokenize, /detokenize and /apply-template are those of
// llama-server: tokens of texts, texts of tokens, and prompts of chats.
//
//	server := serve.New(model, serve.Options{Name: "small"})
//	http.ListenAndServe("127.0.0.1:8080", server)
//
// Requests wait in a queue of bounded length; one more is refused with the status 429. A client that goes away ends its
// sequence. [Server.Shutdown] lets the answers that are being generated end, and refuses others.
//
// A field of the interface that the server does not know, such as a suffix, is refused with the status 400 and its
// name, as far as it would change the answer.
package serve
