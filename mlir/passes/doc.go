// Package passes holds the passes over MLIR and runs them in pipelines.
//
// A [Pass] rewrites a module in place. [All] lists the passes in the order in which
// they usually run; [Parse] makes a [Pipeline] of names; [Pipeline.Run] runs it,
// verifies the module after every pass, takes the time of each, and prints the
// module where asked to:
//
//	pipeline, err := passes.Parse("inline,canonicalize,cse")
//	if err != nil { … }
//	pipeline.After = os.Stderr
//	err = pipeline.Run(module)
//
// # Writing a pass
//
// Operations keep no lists of their uses. A pass walks blocks forward, notes which
// value stands for which in a map, and applies the map with
// [mlir.Operation.ReplaceUses]; or it counts uses once with a walk.
package passes
