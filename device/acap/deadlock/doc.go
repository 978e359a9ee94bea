// SPDX-License-Identifier: Apache-2.0

// Package deadlock says before a run whether a device program can finish, and if
// not, who waits for whom.
//
//	v, err := deadlock.Check(p)
//	if v.Stuck() {
//		fmt.Println(v) // deadlock: core (0, 2) waits to read x_l1 …
//	}
//
// A device program is a Kahn network with bounded channels: cores and DMA
// channels are sequential processes, FIFOs are the only way between them, and
// every lock is acquired at one place and released at another. The order in which
// the processes of such a network run does not change what each of them does, so
// one run in any order decides: if it stops before the end, every run does
// (G. Kahn, The semantics of a simple language for parallel programming, 1974;
// T. M. Parks, Bounded scheduling of process networks, 1995). [Check] makes that
// run with package event, which skips what repeats.
//
// The host is such a process, too: the queues of the interface tiles' channels are its
// FIFOs, as deep as the machine makes them. A program whose host has to issue a task to a
// full queue before it comes to the task that would drain that queue is stuck.
//
// The bound of a channel is the depth of its FIFO; the few words that a stream
// holds on its way do not count. A program that needs them is called stuck.
package deadlock
