// SPDX-License-Identifier: Apache-2.0

// Package race reports whether the race detector is on. Tests of time and of allocations make no sense under the
// detector, which slows code down tenfold and makes pools drop their values.
package race
