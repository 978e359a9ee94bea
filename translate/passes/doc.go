// SPDX-License-Identifier: Apache-2.0

// Package passes holds the passes over MLIR and runs them in pipelines.
//
// A [Pass] rewrites a module, or an operation in it, in place. [All] lists the passes in
// the order in which they usually run; [Parse] makes a [Pipeline] of its text;
// [Pipeline.Run] runs it, verifies the module after every pass, takes the time of each,
// and prints the module where asked to. Another package adds passes with [Register] and
// named pipelines with [RegisterPipeline]:
//
//	pipeline, err := passes.Parse("inline,canonicalize,cse")
//	if err != nil { … }
//	pipeline.After = os.Stderr
//	err = pipeline.Run(module)
//
// # The passes
//
// Each subject has a package, and pass.go lists the passes of all:
//
//   - simplify: folding, merging, removing, inlining, and the extents of a program's inputs.
//   - lowering: aten operations to linalg on tensors, and results to memory.
//   - group: what a device runs as functions of their own.
//   - inference: what trained models do not need.
//   - torchmlir, acap2019 (PyTorch/ACAP's of 2019) and expand (loops for tools that lack the acap dialect): from and to
//     other dialects.
//   - precision: element types. report: what a module is like, without changing it.
//
// parse.go reads a pipeline's text, and pipeline.go runs the pipeline. Package driver runs one over a file, as mlir-opt
// does.
//
// # Writing a pass
//
// A pass says what becomes of one operation and leaves the rest to [mlir.Rewrite],
// which knows regions, successors and captured values; or it counts uses once with
// [mlir.CountUses].
package passes
