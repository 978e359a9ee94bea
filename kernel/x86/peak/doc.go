// SPDX-License-Identifier: Apache-2.0

// Package peak makes the loops that show what a core can do: independent multiply-adds on registers, and a stream
// through memory with stores that bypass the caches. Measurements quote their results as shares of these.
package peak
