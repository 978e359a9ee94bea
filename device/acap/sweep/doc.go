// SPDX-License-Identifier: Apache-2.0

// Package sweep maps and times the kernels of a model on many machines: every combination of
// presets or files with fields that vary.
//
//	grid, err := sweep.NewGrid([]string{"npu1", "npu2"}, []string{"cols=1:8", "l1=32k,64k"})
//	points, err := grid.Evaluate(0, grid.Len(), kernels, nil)
//	_, cores, err := sweep.Cost("cores")
//	sweep.MarkPareto(points, cores)
//	err = sweep.WriteCSV(os.Stdout, grid.Names(), points)
//
// A [Grid] makes its machines one by one, so that a part of it can be evaluated anywhere.
package sweep
