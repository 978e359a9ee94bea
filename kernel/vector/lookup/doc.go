// SPDX-License-Identifier: Apache-2.0

// Package lookup writes vector programs for the attention of a few queries whose keys and values an index names: the next
// token of a sequence of a language model, whose cache consists of pages.
//
// The first program computes scores. It sums the products of four keys with a few queries in registers, where keys lie,
// and fetches their values. The scale, the cap and the mask of scores come in a second walk. The second program
// multiplies the rows of values by what became of the scores, and adds them up in registers as well. Keys and values
// are f32, f16 or bf16.
package lookup
