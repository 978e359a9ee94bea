// SPDX-License-Identifier: Apache-2.0

// Package engine compiles the linalg form of a program, a func.func on tensors of
// static shapes, to native kernels and runs it.
//
//	p, err := engine.Compile(f, engine.Options{})
//	results, err := p.Run(ctx, inputs)
//
// # From operations to kernels
//
// Compile goes through these packages, in this order; a package imports only those before it.
//
//   - graph: nodes, which are loop nests on flat memory, views of tensors, and clusters of nodes.
//   - convert: the graph of a function in the linalg form.
//   - rewrite: attention, values that are computed where they are read, long sums in two levels.
//   - fuse: clusters of nodes that become one kernel.
//   - emit: the kernel of a cluster.
//   - code: the machine code of kernels, by a back end (kernel/native unless [Options] say otherwise).
//   - plan: steps in their order, and one arena for the tensors between them.
//   - workers: the threads on which kernels run.
//
// This package runs plans, and describes their kernels (kernels.go).
//
// # Runs
//
// A [Program] may run in several goroutines at once; each run takes a frame of its
// own, with arena and scratch memory, and gives it back. In steady state a run
// allocates nothing but its results, and [Program.RunInto] not even these. Kernels
// are divided among a pool of workers (package workers) that all programs share; a program
// that finds the workers busy runs on its own goroutine.
//
// Results do not depend on the number of threads.
// Integer results do not depend on fusion either; floating ones only as far as
// contractions and reductions choose their order of summation.
//
// # Constants
//
// What depends on constants of the module alone, or on inputs that are marked in
// [Options].ConstInputs, is computed once, and operands that kernels want packed
// are packed once. Both are kept for the last few sets of constant inputs, which
// are told apart by the identity of their buffers.
package engine
