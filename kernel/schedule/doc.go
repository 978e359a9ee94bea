// SPDX-License-Identifier: Apache-2.0

// Package schedule makes the decisions about a kernel that do not depend on the instruction set: which loop of a nest
// runs along the lanes of vectors, which loops the code has and which Go iterates, how many vectors a turn works on,
// into which units the work is divided ([Loops]), and how the epilogue of a product runs on sums in scratch memory
// ([Epilogue]). A [Target] tells what the decisions need to know about a generator of code.
package schedule
