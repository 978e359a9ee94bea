// SPDX-License-Identifier: Apache-2.0

// Package beside says what models take that run at the same time on arrays, or parts of one, which share the memory outside.
//
//	arrays, err := beside.Parts(m, []int{4, 4})          // columns of one array, or beside.Arrays(m, 2)
//	shares, err := beside.Run(m, []*report.Report{a, b}) // of runs on those, each alone
//	shares[0].Seconds / shares[0].Alone
//
// Each model runs again and again, and all start together. A run is what its account says: rests of the memory, while the host and
// launches have their time, and kernels that read and write as many bytes as they do in the time that they take. Where all together
// want no more of the memory than there is, none waits. Else the rate is shared: none gets more than it wants, and those that want more
// than their part get the same (max-min fairness). A kernel with a part of the rate takes what package timing says of its mapping with a
// memory that is as much slower.
//
// What is not counted: rows that one model has opened and another closes, and the host, of which each model has one.
package beside
