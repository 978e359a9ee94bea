// SPDX-License-Identifier: Apache-2.0

// Package divergence compares the probabilities of tokens that a model gives with exact ones, by the divergence of
// Kullback and Leibler. The probabilities of llama.cpp come from its [Server].
package divergence
