// SPDX-License-Identifier: Apache-2.0

// Package engine compiles the linalg form of a program, a func.func on tensors of
// static shapes, to native kernels and runs it.
//
//	p, err := engine.Compile(f, engine.Options{})
//	results, err := p.Run(ctx, inputs)
//
// # From operations to kernels
//
// Compile goes through these forms; each file has one idea of one of them, and is named after its stage: convert,
// graph, rewrite, fuse, emit, plan, run.
//
//   - Nodes (graph.go, graph_node.go). Every operation becomes a node, a loop nest on
//     flat memory, or none: reshapes, transposes, slices, broadcasts and fills are
//     views (graph_view.go), which the operands of nodes read in place. Structured operations of
//     linalg, by the loops, maps and regions that package mlir/dialect/linalg gives them
//     (convert_generic.go), and arith and math on whole tensors (convert_elementwise.go) go the same way (convert_structured.go). Sums of products become
//     contractions (convert_contract.go) or convolutions (convert_convolve.go) by the way in which
//     their operands walk through the loops, whatever operation says so; a border
//     of zeros before a convolution becomes its padding, which contributes nothing
//     to the sums, as in PyTorch: no NaN where the filter is infinite. Scans, sorts, scatters and
//     random bits are kernels on whole tensors (convert_ordered.go). A reduction that folds in
//     a way that kernels do not have is evaluated by package reference.
//   - The nodes are rewritten: softmax between two products becomes attention
//     (rewrite_attention.go), values that cost less than a load are computed where they
//     are read (rewrite_inline.go), conversions move into products, and long sums to few
//     results get a second level (rewrite_splitreduce.go).
//   - Clusters (fuse_cluster.go, fuse.go). Producers and consumers are joined by
//     identifying their loops (fuse_align.go), which are split where shapes were
//     reshaped in between. A cluster becomes one kernel: pointwise chains with any
//     number of results; rows that are folded and walked through again, such as
//     softmax and layer_norm; a contraction or convolution with what follows as
//     its epilogue.
//   - Steps (emit.go, plan.go). Kernels are compiled by a back end
//     (kernel/native unless [Options] say otherwise), and tensors are placed
//     in one arena; a result may take the memory of an operand that ends.
//
// # Runs
//
// A [Program] may run in several goroutines at once; each run takes a frame of its
// own, with arena and scratch memory, and gives it back. In steady state a run
// allocates nothing but its results, and [Program.RunInto] not even these. Kernels
// are divided among a pool of workers (run_pool.go) that all programs share; a program
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
