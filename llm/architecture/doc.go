// SPDX-License-Identifier: Apache-2.0

// Package architecture describes how language models compute, as data. A [Description] is read from the metadata of a GGUF file,
// [FromGGUF], or from config.json, [FromConfig]; what files call a kind of model, and what follows from the name alone, is a [Kind].
//
// A description says which weights each layer has, with their shapes: [Description.Parts] are those that there may be, and
// [Description.Members] are those that files have, where none is missing. Weights have the names of GGUF.
//
// A key or a number that asks for what no network computes is an error with its name, and so is a kind of models that is not known.
package architecture
