// SPDX-License-Identifier: Apache-2.0

// Package placement maps the kernels of a program onto an array and chooses their places.
//
// [New] maps each kernel alone (package mapper), and then decides what a run of all of them gains by: weights resident
// in mem tiles from run to run (residency.go), within the memory budget (budget.go); kernels on cores of their own,
// whose programs remain loaded (search.go, with package schedule); arrays that remain in mem tiles from one launch to
// the next (retention.go); and a pipeline of stages on neighbouring columns, through which samples pass (pipeline.go).
// Each is taken only if the time model says that a run is shorter with it. A [Plan] gives the rows of a report and the
// program of each kernel. Values never depend on it.
package placement
