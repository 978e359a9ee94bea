// SPDX-License-Identifier: Apache-2.0

// Package sweepplot draws the points of a sweep, and their Pareto front. It is apart from package sweep so that
// programs that draw nothing link no fonts.
package sweepplot
