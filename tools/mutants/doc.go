// SPDX-License-Identifier: Apache-2.0

// Package mutants holds the test that alters one value after another in files of every format that acap reads, keeps
// containers and checksums right, and uses the files. Every altered file must end in results or in an error, within
// bounds of memory and of steps. Package hostile has the ways to alter a file.
//
// ACAP_MUTANTS_SEEDS names a folder with files of your own to alter; the name of a file may give the types of its
// inputs ("model@2x3,4xi64.pt"). ACAP_MUTANTS names a folder for altered files that end in a panic or take too much
// memory.
package mutants
