// SPDX-License-Identifier: Apache-2.0

// Command characters trains a transformer to predict the next character of a text, and lets it write. While it writes,
// a cache holds the keys and values of the text so far: each character costs one step of the model. The cache grows in
// buckets of 32 characters. A bucket needs two programs, one of them to make the larger cache; no length needs a
// program of its own.
package main
