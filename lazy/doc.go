// SPDX-License-Identifier: Apache-2.0

// Package lazy is the lazy device: it records calls as pending values, shows
// them as MLIR, and computes them at barriers.
//
// # Barriers
//
// A barrier is anything that needs data: printing, Data, Item, [Sync], a copy to
// another device. It computes exactly what was asked for. A value that was
// computed on the way but not kept, and that new work builds on, is kept the
// second time, so a loop that looks at one of its values costs at most one
// recomputation of the others.
//
// # Memory
//
// The memory of a value returns when the garbage collector finds that nothing refers to the value. A loop that knows
// which values it replaces, such as an optimiser, uses their memory again with a [Recycler].
//
// # Cache
//
// Programs are kept by the structural key of their trace: calls, attributes,
// types and connections, not data. [Metrics] counts hits and misses. Go numbers that
// turn out to vary become inputs, with the second program that differs in nothing else. Extents of
// dynamic dimensions share the program of a bucket; see package bucket. [Compile] makes functions that
// are recorded once for each signature.
//
// # Stages
//
// [GetMLIR] prints the pending trace of values in the aten dialect without
// running anything; [MLIRAt] prints later stages of the same program.
//
// # Files
//
//   - Recording: runtime.go, value.go, pending.go, scope.go, generator.go (random numbers), autocast.go.
//   - Running: barrier.go and start.go make program.go run what cache.go found or compiled. fit.go pads to buckets,
//     vary.go turns numbers into inputs, donate.go and recycle.go use memory again.
//     function.go is [Compile], traced.go and operands.go its calls, state.go what they replace.
//   - Looking: mlir.go, explain.go and explain_groups.go, ran.go, why.go, metrics.go, debug.go, error.go.
//   - Watching: nosync.go, nan.go, and record.go for packages bundle and replay.
package lazy
