// SPDX-License-Identifier: Apache-2.0

// Package config reads what the files of a model say by name: keys of config.json and of the other JSON files in a folder of Hugging Face,
// [Object], and metadata of a GGUF file, [Metadata]. What the names mean is known by those who ask for them, such as package
// llm/architecture.
package config
