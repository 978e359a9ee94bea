// SPDX-License-Identifier: Apache-2.0

// Package trainplot draws the metrics of a training run as curves over its steps. Package trainplot stands beside
// package train so that programs that draw nothing link no fonts.
package trainplot
