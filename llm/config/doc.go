// SPDX-License-Identifier: Apache-2.0

// Package config reads what the files of a model say by name: keys of config.json and of the other JSON files in a
// folder of Hugging Face, [Object], and metadata of a GGUF file, [Metadata]. Packages that ask for names know what they
// mean, such as llm/architecture.
package config
