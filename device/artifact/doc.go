// SPDX-License-Identifier: Apache-2.0

// Package artifact keeps compiled programs in files: what a program needs to run, for several
// machines in one, and the module that it was made of.
//
//	err := artifact.Write(ctx, "model.acap", module, artifact.Options{Machines: []string{"npu1"}})
//
//	f, err := artifact.Open("model.acap")
//	exe, notice, err := f.Load(ctx, dev)
//
// # The file
//
// It starts with a line of text, the length of the header and a checksum of it. The header is JSON:
// who made the program and for which processor, its types and machines, and a table of sections.
// Sections begin at multiples of 64 bytes and have checksums; nothing lies between or behind them but
// zeros. There are the module in the aten form without the data of its constants ("mlir"), the
// compiled program ("plan", see package device/plan), the mappings of its kernels for each machine,
// and the data of constants, each once, as it is and in the forms that kernels read.
//
// A file is mapped into memory, so that constants are neither read nor copied before they are
// needed; it must not be changed while a program of it is in use.
//
// A module whose structure depends on elements of the inputs has guards (see package translate/passes/guard): they are
// part of the module and of the plan, [Info] lists them, and a run of other inputs is a [device.GuardError].
//
// # Other versions and processors
//
// A program that another version made, or for another processor, is compiled again from the module
// in the file, and [File.Load] says so.
package artifact
