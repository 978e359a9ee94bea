// SPDX-License-Identifier: Apache-2.0

// Package printable writes texts that have names from files. A name must not control the terminal: set the title of a
// window, clear a line, or answer on standard input.
package printable
