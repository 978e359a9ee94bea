// SPDX-License-Identifier: Apache-2.0

// Package group divides a program into groups of operations for a device and operations that the host runs.
//
// [Supported] tells what the engine of this module takes; a device passes a rule of its own to [Group]. division.go
// finds the groups of a block, carried.go the constants that every group gets a copy of, and join.go joins groups as
// long as no path leaves a group and comes back.
package group
