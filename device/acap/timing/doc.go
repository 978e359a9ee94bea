// Package timing says how long a mapped kernel takes, in closed form.
//
// [Estimate] treats a launch as a pipeline. Every core repeats a step: take
// operand tiles, run the kernel, and after the last step of a block hand over
// the output tile. A step occupies five resources at once, and the slowest sets
// the pace:
//
//	core    call + max(macs / (rate · efficiency), operand loads)   cycles
//	stream  the larger operand tile / rate of a core's channel, + set-up
//	shim    bytes of a stream, and of a column, / rate of its channels
//	DDR     bytes of all columns / rate, by direction and in both
//	stage   bytes through the mem tiles when they do not overlap
//
// Runs of contiguous bytes that are short, and rows a power of two apart, get a
// share of the DDR rate (machine.DDR.Burst and Pitch). The total is
//
//	launch + fill + rounds · (steps · max(step) + exposed output) + restarts + drain
//
// where output is exposed when its tile has a single buffer: the core cannot
// start the next block before the DMA has taken it to the mem tile, or outside
// where there is none. While cores rest between blocks, as they do for that, for
// inputs of the epilogue and to convert, the other resources go on until buffers are
// full; of a cascade only the last stage rests. Restarts are the host waiting for one
// set of DMA tasks before it issues the next: after every output block or after every
// row of them, as the kernel style says; the refill of the pipeline is part of it, and
// all of it where it takes longer than the host. Where the style keeps a set queued
// behind the one that is read, a restart shows only when a set takes less time than
// the host.
//
// Streams share the memory in proportion to what they move in all, so a block takes
// what the slowest of the limits takes, each of which is a sum of bytes over a rate:
// more bandwidth is never slower.
//
// Package event simulates the same program event by event; both agree within 5 %,
// mostly 1 %, and what they share, the share of the memory's rate that a
// transfer reaches, the program carries with it.
//
// A [Timing] also holds where the time went, what bounds it, the traffic per
// level of memory, the roofline bound and an energy estimate.
//
// Systolic machines use SCALE-Sim's cycle counts, which are closed forms of the
// three dataflows ([SystolicCycles]).
package timing
