// SPDX-License-Identifier: Apache-2.0

// Package planplot draws what a step of training costs on several ranks. It stands beside package plan so that programs
// that draw nothing link no fonts.
package planplot
