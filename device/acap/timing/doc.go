// SPDX-License-Identifier: Apache-2.0

// Package timing says how long a mapped kernel takes, in closed form.
//
// [Estimate] treats a launch as a pipeline. Every core repeats a step: take
// operand tiles, run the kernel, and after the last step of a block hand over
// the output tile. A step occupies four resources at once, and the slowest sets
// the pace:
//
//	core    call + update · tile + max(macs / (rate · efficiency), operand loads)   cycles
//	stream  the larger operand tile / rate of a core's channel, + set-up
//	shim    bytes of a stream, and of a tile, / rate of its channels
//	DDR     bytes of all columns / rate, by direction and in both
//
// Runs of contiguous bytes that are short, unless a page of the memory holds more than
// a row, and rows a power of two apart get a share of the DDR rate (machine.DDR.Burst,
// Page and Pitch). The total is
//
//	launch + fill + steps · max(step) + output + restarts + drain
//
// where output is the time that cores spend on their results: to convert them, to pass sums on along a cascade, and
// until there is space. A restart is the host waiting for the results of one set of DMA tasks before it issues the
// next, and the pipeline draining and filling in between; a set is a row of output blocks, or as many along M and N as
// the kernel style says.
//
// How much of it overlaps is no matter of formulas where transfers wait for buffers:
// products, attention, and rows, sorts and scatters taken in pieces are timed by a
// recurrence over one core and its buffers (line.go) that ends where it repeats
// (repeat.go), so that its cost does not grow with their size. Streams share the memory
// in proportion to what they move in all (sharing.go). Of a cascade only the last core
// is followed, as if all stages worked in step; where that waits for its only output tile
// the others run ahead, and a block may take up to a tenth longer. [Model.Floor] is a time that no order of calls and
// transfers beats, for a search that times few mappings.
//
// Package event simulates the same program event by event; both agree within 0.5 % on
// products and 1 % on other kernels of one kind of step, and within 5 % on nearly all.
// Mappings that no search chooses may be further apart: 3 rows of 70,000 i8 in pieces of 512
// are, by 14 % on npu1.
// What they share, the share of the memory's rate that a transfer reaches, the program
// carries with it.
//
// A [Timing] also holds where the time went, what bounds it, the traffic per
// level of memory, the roofline bound and an energy estimate.
//
// Systolic machines use SCALE-Sim's cycle counts, which are closed forms of the
// three dataflows ([machine.Dataflow.Cycles]).
package timing
