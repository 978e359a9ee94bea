// SPDX-License-Identifier: Apache-2.0

// Package workers runs the units of kernels on threads that all programs share. A program that finds the workers busy
// runs on its own goroutine. Results do not depend on the number of threads.
package workers
