// SPDX-License-Identifier: Apache-2.0

// Package parallel divides compilation among goroutines. The result of a compilation does not depend on how many take
// part.
package parallel
