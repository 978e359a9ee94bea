// SPDX-License-Identifier: Apache-2.0

// Package schedule has what generators of code decide about a kernel whatever the instruction set: which loop of a nest
// runs along the lanes of vectors, which loops the code has and which Go iterates, how many vectors a turn works on,
// into which units the work is divided ([Loops]), and how the epilogue of a product runs on sums in scratch memory
// ([Epilogue]). A [Target] says what such a decision needs to know of a generator.
package schedule
