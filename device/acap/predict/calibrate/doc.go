// SPDX-License-Identifier: Apache-2.0

// Package calibrate fits the constants of a machine to measurements of its user.
//
// [Constants] lists the constants that may move, each with the bounds that it keeps: those that were fitted to
// published rows by half of their value and those that are assumed by a factor of four; shares and efficiencies remain
// at most 1, and what a datasheet says remains. Constants that are one number, such as an efficiency that several
// styles have in common, move together.
//
// [Fit] changes the constants so that the sum of relative errors is least, with less weight for rows that nothing
// explains, and tells which rows determine which constant. A constant that no row depends on keeps its value. [Fit]
// also leaves out each source in turn, and predicts the rows of the source by the rows of the others.
package calibrate
