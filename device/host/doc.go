// SPDX-License-Identifier: Apache-2.0

// Package host is the device that runs on the CPU, at once: every call is
// compiled (and cached) as a program of its own, on the same kernels that the
// simulated array uses.
package host
