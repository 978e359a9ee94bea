// SPDX-License-Identifier: Apache-2.0

// Package machine describes tiled accelerator arrays as data.
//
// A [Machine] holds everything that the mapper, the program verifier and the
// time model need to know about an array: its grid, what one tile of each kind
// has (memory, banks, locks, DMA channels, descriptors and the widths of their
// fields), what a core does in one cycle, and how fast data moves outside.
//
// Every number is a [Constant]: a value with its unit, the source it comes from
// and its [Evidence]: read in a datasheet, fitted to measurements, or assumed.
// Nothing else in the simulator holds a hardware number.
//
// # Presets
//
// [Preset] knows vck190 and vck5000 (VC1902, first generation AI Engine),
// vek280 (VE2802, AIE-ML), npu1 (Phoenix, AIE-ML), npu2 (Strix, AIE2P) and
// systolic, a plain grid of multiply-accumulate cells with SCALE-Sim's three
// dataflows. [Systolic] makes one of any size.
//
// # Families
//
// What machines share beyond their numbers is the [Architecture] of their [Family]: what is validated and drawn, what
// what-if lines change, upstream's name for an array, and the names that measurements have for a device. The AI Engines
// ([AIE1], [AIE2], [AIE2P]) are tiles whose cores run programs. A [Fixed] architecture, such as [Grid2D], has no
// programs: a kernel has one mapping, and its cycles have a formula. A new family is one file that registers an
// architecture and presets.
//
// # Machines of one's own
//
// [Read] takes JSON in the form that [Machine.WriteJSON] prints. A constant may
// be a bare number; a file may start from a preset with "base" and give only
// what differs. A machine that breaks a rule of [Machine.Check] is an error
// that names the field.
//
// # Coordinates
//
// Column 0 is the leftmost column that programs can use, row 0 is the interface
// (shim) row, then come the memory tiles, then the cores.
package machine
