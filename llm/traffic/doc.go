// SPDX-License-Identifier: Apache-2.0

// Package traffic computes how long clients of a language model wait under load, without running the model.
//
//	requests := traffic.Poisson(4, 200, 1, 512, 128)   // 4 a second, of 512 tokens, with answers of 128
//	s, err := traffic.Server(outline, machine, llm.Simulation{Context: 2048, Sequences: 8, CacheTokens: llm.EachContext})
//	t, err := s.Simulate(ctx, requests)
//	fmt.Print(traffic.Summarize(t))
//
// Package llm computes and simulates the batches by the same code, and a pass takes what package account says. So a
// summary has what the model's kernels take on the array, and what waiting for others adds. Other work of a server,
// such as making tokens of texts and choosing tokens, is not in it.
//
// [Read] reads requests from a table: arrival, prompt and answer, or the columns of the traces that Azure published.
package traffic
