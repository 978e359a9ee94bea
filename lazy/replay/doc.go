// SPDX-License-Identifier: Apache-2.0

// Package replay finds the cause where a program fails or gives wrong numbers.
//
// [Bisect] compares a program with a reference that evaluates its calls one by one, each
// in the linalg form and element by element, without fusion, planning and machine code. It finds a call whose
// result differs although what it takes does not, and which stage of the compiler is to
// blame. [Reduce] makes the smallest program that still differs.
package replay
