// SPDX-License-Identifier: Apache-2.0

// Package network computes language models: a [Network] is a description with its weights on a device.
// [Network.Compute] runs tokens of sequences, whose keys and values lie in a [Memory], and gives scores;
// [Network.LastRows] runs the tokens of a text at once and keeps nothing.
//
// A pass is recorded as calls of tensors, once for its [Numbers] (step.go); from then on a token costs the program and
// what writes its inputs (pass.go, fill.go). The layers are in network.go, with a file for each part: attention.go,
// experts.go, recurrence.go, shortconv.go, layerrows.go.
package network
