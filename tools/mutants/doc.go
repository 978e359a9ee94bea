// SPDX-License-Identifier: Apache-2.0

// Package mutants holds the test that alters one value after another of files of every format that acap reads, keeps
// their containers and checksums right, and uses them: whatever a file says, that ends with results or an error, soon,
// and with bounded memory. ACAP_MUTANTS_SEEDS names a folder with files of one's own to alter, whose names have the
// types of their inputs if the files do not ("model@2x3,4xi64.pt"), and ACAP_MUTANTS one for forms that end in a panic.
// See package hostile for the ways to alter a file.
package mutants
