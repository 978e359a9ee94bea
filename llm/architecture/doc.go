// SPDX-License-Identifier: Apache-2.0

// Package architecture describes how language models compute, as data. A [Description] is read from the metadata of a
// GGUF file, [FromGGUF], or from config.json, [FromConfig]; what files call a kind of model, and what follows from the
// name alone, is a [Kind].
//
// A description says which weights each layer has, with their shapes: [Description.Parts] are the weights that a layer
// can have, and [Description.Members] are the weights that a complete file has. Weights have the names of GGUF.
//
// A key, a number or a kind of models that no network here computes is an error with its name.
package architecture
