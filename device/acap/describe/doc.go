// SPDX-License-Identifier: Apache-2.0

// Package describe turns native kernels into the descriptions that the mapper
// takes: what a kernel must do on the array, whatever code computes it here.
//
// Poolings and convolutions that take every channel by itself are rows of windows: results that lie
// near each other share a row, which brings what their windows cover once, and the lanes of a core work
// on as many of them as lie side by side ([WindowsOf], [Depthwise]). The cost of a row of windows follows from the same
// constants as the cost of other rows; nobody has published measurements of such kernels.
//
// Scans, sorts and scatters are taken for rows over the tiles, as reductions are: lines
// that do not depend on each other are divided among the cores, and within a line one
// scalar operation follows the other, for a sort as often as a merge sort compares. That
// is an assumption and no measurement: nobody has published such kernels for the array.
package describe
