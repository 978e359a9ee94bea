// SPDX-License-Identifier: Apache-2.0

// Package cputime measures the processor time of this process. Processor time does not grow while other processes run,
// so a test can bound the processor time of its work on a busy machine.
package cputime
