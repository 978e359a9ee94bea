// SPDX-License-Identifier: Apache-2.0

// Package aie defines mlir-aie's dialects aie and aiex: object FIFOs, buffers, locks, descriptors, switches and
// packets, and the host's transfers, tasks and writes. The text of version 1.4 is read and the one since July 2026, in
// which locks take a value, descriptors name their parts, and an acquired object is a memref.
//
// The verifiers refuse what mlir-aie's own refuse: which sort of tile holds what, numbers and reach of locks, buffers
// and channels, sizes, strides and word boundaries of descriptors, ports of switches, numbers of packets, neighbours of
// cascades, ends and links of object FIFOs, and transfers and tasks of the host.
package aie
