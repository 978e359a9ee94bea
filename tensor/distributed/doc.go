// SPDX-License-Identifier: Apache-2.0

// Package distributed lets several ranks, which are processes or goroutines that run the same
// program, work on one computation. A [Group] knows its rank and how many there are; its
// collectives are operators that are recorded as all others are, so that GetMLIR, reports
// and gradients have them:
//
//	total := group.AllReduce(x, distributed.Sum)
//
// Training on the parts of a batch takes one line, which wraps the optimiser:
//
//	opt, err := distributed.Data(ctx, params, &optim.SGD{LR: 0.1}, group)
//
// [Run] starts ranks as goroutines of this process, for tests and for many simulated devices.
// The module in the folder mpi has ranks that MPI starts, on one machine or many; it is a module
// of its own because it needs cgo and an MPI library.
//
// # Order and rounding
//
// A sum over ranks is a sum over a binary tree of ranks, the same on each rank and each
// time, whatever arrives first. The result of a collective so depends on its operands and the number
// of ranks alone.
//
// # Failure
//
// Before data move, ranks compare what they are about to do: kind, type, size and place in
// the sequence of collectives. A difference is an error on all of them. A rank that returns an error, dies, or says
// nothing for longer than [Group.Timeout] ends the collectives of the others with a [*RankError] that names it.
package distributed
