// SPDX-License-Identifier: Apache-2.0

// Package aie defines mlir-aie's dialects aie and aiex as far as designs of object FIFOs, buffers, locks and
// descriptors need them: the text of version 1.4 and the one since July 2026, in which locks take a value, descriptors
// name their parts, and an acquired object is a memref.
//
// What is verified are the limits that mlir-aie has for tiles, locks and descriptors.
package aie
