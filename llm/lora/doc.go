// SPDX-License-Identifier: Apache-2.0

// Package lora adds LoRA adapters to the network of a language model: the files that llama.cpp reads, and the folders
// that PEFT writes. An adapter has a pair of narrow matrices for some weights, whose product is added to the product
// with the weight (Hu and others, LoRA: Low-Rank Adaptation of Large Language Models, 2021).
package lora
