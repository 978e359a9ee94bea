// SPDX-License-Identifier: Apache-2.0

// Package fault reads the faults of an array that users ask for, such as dead:1,2 and drop:1,1,in,2,5, and tells what
// becomes of a kernel with them: [Stops].
package fault
