// SPDX-License-Identifier: Apache-2.0

// Package trainplot draws what a training run said, as curves over its steps. It stands beside package train so that programs
// that draw nothing link no fonts.
package trainplot
