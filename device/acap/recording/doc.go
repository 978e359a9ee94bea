// SPDX-License-Identifier: Apache-2.0

// Package recording reads what arrays and other simulators have recorded of a run, and compares it with what the
// simulator says.
//
//	r, err := recording.ReadPackets(file) // words of the trace units, as mlir-aie's programs write them
//	calls, err := r.Calls(recording.DefaultEvents)
//	c, err := recording.Compare(report, calls, 0) // with the simulated run, kernel by kernel
//	fmt.Print(c)
//
// [Simulate] returns what the units would record of a simulated run.
//
// # Packets
//
// A trace unit of a tile watches eight events, and sends a frame for each cycle in which one of them is active: which
// are, and how many cycles have passed since the frame before. Seven words of frames travel behind a header that names
// the tile. A text has one word a line, eight hexadecimal digits. Which event has which number is the choice of whoever
// set the unit up; [DefaultEvents] are mlir-aie's for cores. Calls of kernels begin with INSTR_EVENT_0 and end with
// INSTR_EVENT_1, as kernels are marked for that. A unit that has seen nothing for 2^18 cycles sends a frame that says
// so, which counts here.
//
// # Value change dumps
//
// [ReadVCD] reads IEEE 1364's format, which aiesimulator writes, too. Which signals are cores depends on who wrote
// them: a pattern tells column and row, and a core computes while the lowest bit of its signal is 1, as in the dumps of
// package report.
package recording
