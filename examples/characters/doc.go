// SPDX-License-Identifier: Apache-2.0

// Command characters trains a transformer that foretells the next character of a text, and
// lets it write. While it writes, a cache keeps the keys and values of what was written:
// each character costs one step of the model. The cache grows in buckets of 32, so that
// there are two programs for each bucket, one of which makes it, and not one for each length.
package main
