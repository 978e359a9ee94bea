// SPDX-License-Identifier: Apache-2.0

// Package beside estimates the time of models that run at once, each on an array or on a part of an array, and share
// the memory outside the arrays.
//
//	arrays, err := beside.Parts(m, []int{4, 4})          // columns of one array, or beside.Arrays(m, 2)
//	shares, err := beside.Run(m, []*report.Report{a, b}) // of runs on those, each alone
//	shares[0].Seconds / shares[0].Alone
//
// Each model runs again and again, and all models start together. A run follows the account of its model: the memory
// rests during host calls and launches, and kernels spread their bytes evenly over their time. While the models
// together need less than the memory's rate, no model waits. Otherwise the rate is shared by max-min fairness: no model
// gets more than it needs, and all models that need more than they get receive the same. For a kernel with a part of
// the rate, package timing estimates its mapping with a memory that is slower by that part.
//
// Two things are not counted: rows of the memory that one model opens and another model closes, and the host, which
// each model has alone.
package beside
