// Package timing says how long a mapped kernel takes, in closed form.
//
// [Estimate] treats a launch as a pipeline. Every core repeats a step: take
// operand tiles, run the kernel, and after the last step of a block hand over
// the output tile. A step occupies four resources at once, and the slowest sets
// the pace:
//
//	core    call + update · tile + max(macs / (rate · efficiency), operand loads)   cycles
//	stream  the larger operand tile / rate of a core's channel, + set-up
//	shim    bytes of a stream, and of a column, / rate of its channels
//	DDR     bytes of all columns / rate, by direction and in both
//
// Runs of contiguous bytes that are short, unless a page of the memory holds more than
// a row, and rows a power of two apart get a share of the DDR rate (machine.DDR.Burst,
// Page and Pitch). The total is
//
//	launch + fill + rounds · (steps · max(step) + exposed output) + restarts + drain
//
// where output is exposed when its tile has a single buffer: the core cannot
// start the next block before the DMA has taken it to the mem tile, or outside
// where there is none. While cores rest between blocks, as they do for that, for
// inputs of the epilogue and to convert, the other resources go on until buffers are
// full; of a cascade only the last stage rests. A restart is the host waiting for the
// results of one set of DMA tasks before it issues the next, and the pipeline draining
// and filling in between; a set is a row of output blocks, or as many along M and N as
// the kernel style says.
//
// Streams share the memory in proportion to what they move in all, so a block takes
// what the slowest of the limits takes, each of which is a sum of bytes over a rate:
// more bandwidth is never slower.
//
// Attention, and rows, sorts and scatters taken in pieces, have no such steady state: which
// transfer waits for which buffer decides. They are timed by a recurrence over one core
// and its buffers, which ends where it repeats (repeat.go).
//
// Package event simulates the same program event by event; both agree within 5 %,
// nearly always 1 %, and what they share, the share of the memory's rate that a
// transfer reaches, the program carries with it.
//
// A [Timing] also holds where the time went, what bounds it, the traffic per
// level of memory, the roofline bound and an energy estimate.
//
// Systolic machines use SCALE-Sim's cycle counts, which are closed forms of the
// three dataflows ([SystolicCycles]).
package timing
