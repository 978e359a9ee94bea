// SPDX-License-Identifier: Apache-2.0

// Package kerneltime says how long each kernel of a program takes on this computer. [Compile] makes a program whose
// kernels take the time, two readings of the clock for each part of a run, and [Times.List] has the sums.
package kerneltime
