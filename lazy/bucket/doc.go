// SPDX-License-Identifier: Apache-2.0

// Package bucket makes one program serve many extents of a dimension: it computes with
// inputs that are padded to a bucket, and with masks where padding would count.
//
// # What depends on an extent
//
// A program is known for its extents as they were recorded. [Retype] writes it for others: the
// bucket's, and a witness. Both are lowered, and compared. Only parts that depend on the extent differ between them:
// the extents of values, offsets of slices, numbers in the bodies of loops, such as the count that a mean divides by.
// All other parts are equal. [New] turns all numbers that differ into inputs of the bucket's program.
//
// # Why padding does not leak
//
// The bucket's program has the loops of the exact one with more turns. At the turns that both
// have it reads and computes the same, because maps and bodies are equal. The further turns compute padding of results
// if the loop is parallel. If it is a reduction, a mask leaves them out. Reshapes keep the valid part in front if
// they split or merge a padded dimension with what is inside it; for others the elements move. Slices that start
// elsewhere, borders, scatters and indices into tensors have masks of their own. An operation for which none of this
// holds is an error, and its program is compiled for its extents.
//
// [Program.Fit] compares the exact program with the bucket's and returns the inputs that
// make one of the other. It trusts nothing: that [Retype] guessed which numbers are
// extents does not matter, as a wrong guess gives programs that do not fit.
package bucket
