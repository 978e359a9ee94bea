// SPDX-License-Identifier: Apache-2.0

// Package account computes what the passes of a language model take on an array, from the headers of the files of the
// model.
//
//	o, err := llm.Inspect("model.gguf")
//	a := account.New(o, machine)
//	c, err := a.Pass(llm.Pass{Sequences: 1, Tokens: 1, Seen: 2048})
//	c.Seconds // of one token behind 2048 others
//
// A pass is one program of the array: the kernels of all layers, each in the mapping that package mapper finds, and
// timed as the kernels of any model are (package schedule). Activations are bf16 where the machine multiplies bf16,
// else f32. Weights are read in as many bits as the file has for each, rounded up to what measured kernels unpack: 4
// bits with a scale and a least value for 32, which is 5 bits, 8 bits, or 16. Attention sees all places of the pass;
// the heads of a token that share keys and values are rows of one, which reads them once. Of the experts of a layer a
// pass reads as many as its rows choose evenly.
package account
