// SPDX-License-Identifier: Apache-2.0

// Package mapper lays kernels over an array: it enumerates the mappings that the limits of the machine allow and keeps
// the best. Each mapping gets a lower bound of its time (timing.Model.Floor). Mappings are timed in the order of these
// bounds, until no other mapping can be among the best.
//
//	choice, err := mapper.Map(m, kernel)
//	choice.Mapping     // the fastest
//	choice.Timing      // what it costs
//	choice.Runners     // the next best
//	choice.Rejected    // what did not fit, counted by reason
//	mapper.MapResident     // the same with all weights in mem tiles from the start
//	choice.Program()   // the device program, built on first use
//
// [Map] looks at tile sizes on a coarse grid, drops mappings that cannot win by their arithmetic and their bytes alone,
// and does not look into grids and tiles that could gain less than 1 %; it takes a millisecond for rows and tens of
// them for products, hundreds on an array of 400 cores. [Search] looks at every tile size that the machine's
// instruction shapes allow; a 4096-cubed product takes a third of a second. Both are deterministic: ties go to fewer
// cores, then to the earlier mapping.
//
// # What is enumerated
//
//	contraction                columns × rows of cores, which of them split M
//	                           and which N, a cascade along K, tile sizes, the
//	                           slice of K staged in mem tiles, strips of A held
//	                           there, one or two output buffers, the kernel style; grids that
//	                           have channels for all cores only where parts share streams
//	convolution                the same with tiles of output rows and columns cut
//	                           out of strips of the input in mem tiles, and the
//	                           width of a window; without mem tiles a contraction
//	attention                  heads at once, and on how many streams they come, cascades, tiles, features
//	pointwise, normalize       columns × rows and tile size, a stream for every channel
//	                           of a core or one for all inputs; rows that do not fit
//	                           a core are taken in pieces
//	move                       columns
//
// # What is checked
//
// Data memory of cores and mem tiles, DMA channels of mem tiles and interface tiles, the
// widths of descriptor fields, the types a kernel style handles, and declared dead tiles
// while mappings are enumerated. The program of the best one is then checked against all
// limits of its tiles (build.Check), locks and descriptors among them; where it exceeds one,
// the search is done again with a check of every mapping that would be kept.
// [Choice.Verify] verifies the whole program with the host's sequence.
package mapper
