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
//   - From and to other dialects: packages acap2019 (PyTorch/ACAP's of 2019) and expand (loops for tools that lack
//     the acap dialect), totorch.go and fromtorch.go (torch-mlir's).
//   - Down to linalg: decompose.go, then groups for the device (partition.go, with support.go for what it takes,
//     division.go, carried.go and join.go), then lower.go. specialize.go gives a program the extents of its inputs.
//   - Cleaning up: canonicalize.go, cse.go, dce.go, inline.go, symbol_dce.go, returnelimination.go, strip.go, and
//     foldlayers.go for trained models. equal.go and digest.go tell operations apart.
//   - Element types: package precision. What a module is like, without changing it: package report.
//
// pass.go lists them, parse.go reads a pipeline's text, and pipeline.go runs it.
//
// # Writing a pass
//
// A pass says what becomes of one operation and leaves the rest to [mlir.Rewrite],
// which knows regions, successors and captured values; or it counts uses once with
// [mlir.CountUses].
package passes
