// SPDX-License-Identifier: Apache-2.0

// Package cputime tells what this process has used of processors. Unlike the time of the clock it does not grow while other
// processes have the processor, so a bound or a ratio of it holds on a machine that has much else to do.
package cputime
