// SPDX-License-Identifier: Apache-2.0

// Package program is the device program: what every tile of the array holds and
// does, in the terms of the aie dialect of MLIR. Package build makes the program of a
// mapped kernel.
//
// A [Program] has two levels. At the object FIFO level, tiles are joined by
// [FIFO]s of typed objects and cores acquire and release them. [Program.Lower]
// adds what the hardware has: buffers, locks, DMA descriptors and flows; the
// cores' bodies remain as they are and each FIFO's [Endpoint]s say which buffers
// and locks an acquire means.
//
//	producer core ──FIFO──▶ consumer cores       object level
//	buffer, lock ─▶ MM2S ═flow═▶ S2MM ─▶ buffer, lock   lowered level
//
// A FIFO of depth d has d buffers at each end that owns memory. The end that
// fills them acquires the end's produce lock (initial value d) and releases its
// consume lock (initial value 0); the end that empties them does the reverse.
// A core's end is filled or emptied by its program, the other side by a DMA.
//
// Mem tiles have no program: a [Link] ties FIFOs that arrive to FIFOs that
// leave; both use the same buffers.
//
// Memory outside is reached by the interface tiles, whose DMA tasks are issued
// by the host's [Program.Runtime] sequence. The host waits where the queue of a channel is
// full, so that the order of its steps matters.
//
// [Program.String] writes either level in the shape of the aie dialect;
// [Program.Verify] checks a program against a machine's limits.
package program
