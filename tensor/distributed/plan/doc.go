// SPDX-License-Identifier: Apache-2.0

// Package plan computes how long a step of data-parallel training takes on many ranks, without running the step: from
// the latency and the bandwidth of links, the bytes of the gradients and the time of a rank's computation:
//
//	link := plan.Link{Latency: 5e-6, Bandwidth: 12.5e9}
//	step := plan.Step{Forward: 0.01, Backward: 0.02, Bytes: 100e6, Bucket: 25 << 20}
//	cost := step.On(1024, plan.Ring(link))
//
// A message of n bytes keeps the ports of its sender and its receiver for n/bandwidth seconds, and
// arrives after the latency beside. A test compares the formulas with a simulation of the messages, one by
// one, and with runs over [distributed.Link].
package plan
