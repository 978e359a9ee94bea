// SPDX-License-Identifier: Apache-2.0

// Command operator adds two operators of its own to the set and uses them like any other:
// one written in terms of others, which so has a gradient and runs on the array, and one
// that a Go function computes on the host, with a gradient.
package main
