// SPDX-License-Identifier: Apache-2.0

// Package pypeer runs other runtimes from Python beside this one: [Python] finds an interpreter that can import a
// runtime, and [Environment] has the runtime use as many threads, and the instructions that kernels use.
package pypeer
