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
// # Writing a pass
//
// A pass says what becomes of one operation and leaves the rest to [mlir.Rewrite],
// which knows regions, successors and captured values; or it counts uses once with
// [mlir.CountUses].
package passes
