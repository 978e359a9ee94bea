// SPDX-License-Identifier: Apache-2.0

// Command acap-beam divides work of acap among the workers of Apache Beam: `acap-beam sweep`,
// `acap-beam conformance` and `acap-beam run`. `acap-beam help` lists their flags' rules; docs/distributed.md
// shows them with a Flink cluster.
package main
