// SPDX-License-Identifier: Apache-2.0

// Package race says whether the race detector watches: tests of time and of allocations make no
// sense then, for it slows code down tenfold and makes pools drop their values.
package race
