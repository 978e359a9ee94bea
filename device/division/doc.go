// SPDX-License-Identifier: Apache-2.0

// Package division tells how a program is divided into groups for a device, and what each group takes: [Of] names the
// groups, [Measure] and [SetTimes] give them the times of their kernels, and [Write] prints them.
package division
