// SPDX-License-Identifier: Apache-2.0

// Package hostile helps to test readers of files against damaged and malicious files. A reader has to end with a clear
// error, or with the data that the file really holds, within [Time] of the processor and [Bytes] of memory.
//
//	for what, data := range hostile.Variants(sound, 100) {
//		err := hostile.Open(t, what, data, func(path string) error { _, err := Open(path); return err })
//	}
package hostile
