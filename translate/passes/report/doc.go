// SPDX-License-Identifier: Apache-2.0

// Package report describes a module and does not change it: what each layer reads, writes and computes
// ([Operators]), what is live while it runs ([Liveness]), how much arithmetic an operation is ([Work]), and the graph
// as a picture ([WriteDOT], [WriteSVG]). [All] lists what `acap opt` prints.
//
// A layer is an aten operation that is no constant. Its name, L2-relu-0 for the third of all and the first relu,
// is the attribute layer_name, which [NameLayers] sets.
package report
