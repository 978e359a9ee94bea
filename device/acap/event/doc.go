// SPDX-License-Identifier: Apache-2.0

// Package event runs a device program in simulated time, event by event.
//
//	p, _ := choice.Program()
//	r, err := event.Run(p, event.Options{})
//	r.Seconds             // from the host's call to its last await
//	r.Cores[0].Input      // cycles that a core waited for operands
//	r.Blocked             // who waits for what, when the program cannot finish
//
// There is one event per finished descriptor, transfer, kernel call and host
// step, and none per cycle. A DMA channel takes its descriptors in turn: a
// set-up, a lock, a transfer, the release of a lock. A stream moves data when its
// source and all of its sinks are ready, at the rate of the slowest channel;
// streams that touch the memory outside share its rate in proportion to what they
// move in all, under the limits of each interface tile and each direction, and pay
// for short runs by [program.Task] Share. Cores run their statements.
//
// Streams have circuits through the switches of the tiles ([program.Program.Route]). Data
// are late by the switches on their way, which delays the first and the last, as the start of
// the memory outside does (ddr.start); where streams share ports, these are a limit as the memory is.
//
// The host takes its steps in order and without delay, but waits where the program says
// so and where the queue of a channel is full: a task has a place in it from the time
// when it is issued until it is complete. So the order of the tasks of different channels
// decides whether, and when, a channel gets its next task; [Arrange] finds the order in
// which none has to wait for one.
//
// Time is counted in ticks, 1/1024 of a cycle, in integers, so that a run does
// not depend on anything but the program. When the whole state of the array
// repeats, with only the counters of loops and tasks advanced, all further
// periods that end before a counter runs out are skipped at once: the result is
// the same as without ([Options].Exact), and its cost does not grow with the
// number of identical iterations.
//
// The time model is the model of package timing, which computes the same in closed form and says what differs. An
// [Observer] sees every transfer and call in an order that respects the locks, and can do the work with data: package
// tileexact does. [Fault] breaks something.
package event
