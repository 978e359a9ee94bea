// SPDX-License-Identifier: Apache-2.0

// Package bandwidth measures how fast the threads of the engine read memory, [Memory], and the mapped file of a model's
// weights, [File]: what reading the weights for a token is compared with.
package bandwidth
