// SPDX-License-Identifier: Apache-2.0

// Package languagebench times a language model on this computer, beside llama-bench of llama.cpp: [Measure] returns
// [Figures].
package languagebench
