// SPDX-License-Identifier: Apache-2.0

// Command llm runs a language model, and says what an NPU would take for it.
//
//	go run ./examples/llm                                        a small random model: prefill and decode
//	go run ./examples/llm -weights model.safetensors -config c.json -prompt 1,15043,29892
//	go run ./examples/llm -config llama-3.2-1b -length 2048 -account
//	go run ./examples/llm -config llama-3.2-1b -length 2048 -account -mlir m.mlir
//	go run ./cmd/acap sweep m.mlir -machine npu2 -set cols=1:8 -plot pareto.svg
//
// The model is a decoder with grouped heads, rotary positions, RMS norms, a gated SiLU and, where
// the configuration says so, biases of queries, keys and values, norms of heads and a tied head:
// Llama, SmolLM, Qwen 2.5 and Qwen 3. Numbers come from the host's kernels, the account from the
// machine of -machine. With -account nothing runs and the weights have no values: the programs of a
// prefill and of one token are compiled, mapped and reported.
package main
