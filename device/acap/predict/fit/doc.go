// SPDX-License-Identifier: Apache-2.0

// Command fit estimates the fitted constants of the machine presets from
// published measurements.
//
//	go run ./device/acap/predict/fit ROWS.csv
//
// For every group of rows it minimizes the mean of the absolute logarithm of
// predicted over measured, capped at 0.2 so that outliers do not steer the fit
// (Nelder-Mead on the logarithms of the constants), and prints the constants,
// the error on all rows, and the error on rows held out: in five folds, source by source and
// style by style (a style is what the file calls the workload). Rows of language models are
// fitted to what launches and the host cost, and held out model by model. It changes
// nothing: the constants of the presets are edited by hand.
package main
