// SPDX-License-Identifier: Apache-2.0

// Command formgen writes the assembler's table of instruction forms from its text.
package main
