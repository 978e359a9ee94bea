// SPDX-License-Identifier: Apache-2.0

// Package schedule puts launches of kernels into programs of one host call, and says what a run of these programs
// costs.
//
// A [Program] is launches that one call of the host starts, one after the other. Its
// [Cost] tells apart
//
//	host     the call and its return (host.launch), a change of program (host.context),
//	         inputs written before (host.write)
//	launch   the start of a set of DMA tasks (host.restart), or loading of cores (host.switch)
//	         where their program memory does not hold the launch's code yet, if that takes longer
//	array    what the launches take on the array, from the first byte to the last
//	hidden   part of the launch that passes while the launch before drains: the next configuration
//	early    part of the array's work that does, too: the first weights
//
// Weights may be resident in mem tiles from run to run (mapping.Mapping.Resident): their launches remain in
// the columns of those.
//
// [Program.Place] chooses where launches are placed on the array, and on how many cores launches of little work run, so
// that each core holds the code of all its launches where it can.
//
// A [Pipeline] is programs beside each other, the stages that samples pass one after the other: what a [Stage] takes
// for each is the cost of its launches on a machine of its columns alone.
//
// A program of one launch takes what package timing says of the launch, so that a kernel
// and a model are timed in one way.
package schedule
