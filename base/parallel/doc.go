// SPDX-License-Identifier: Apache-2.0

// Package parallel divides compilation among goroutines. What a compilation gives does not depend on how
// many take part.
package parallel
