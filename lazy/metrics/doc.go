// SPDX-License-Identifier: Apache-2.0

// Package metrics counts and times what a lazy device does, cheaply enough to be always on,
// and writes it in the forms that people and programs read: a report in the layout of
// PyTorch/XLA, JSON, and the text format of Prometheus.
//
// [Counter] and [Timer] are updated without locks. A [Snapshot] is what they were at one
// time; two of them have a difference.
package metrics
