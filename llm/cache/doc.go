// SPDX-License-Identifier: Apache-2.0

// Package cache says where the keys and values of sequences are kept, in pages of [PageTokens] tokens. It holds no
// numbers: a page is its place in the memory of each layer.
//
// Layers whose tokens see alike, a [Span], share a [Pool] of pages. A [Sequence] has a [Table] of its pages in each
// pool; it takes pages as tokens come, gives those back that no later token sees, and begins with the pages of an
// earlier sequence that begins with the same tokens. Layers that keep a state in the place of keys and values
// ([States]) have slots in a pool in the same way.
//
// A [Row] is the numbers that a token leaves in a layer, in the type of its [Storage].
package cache
