// SPDX-License-Identifier: Apache-2.0

// Command site builds the documentation as a site of static pages:
//
//	cd tools/site && go run . -o DIR    # from the README, RATIONALE and docs of the repository
//
// The pages need no server and no network: one stylesheet, one script for the search, and nothing from
// elsewhere. A link to a page, a heading or a file that is not there is an error with its place, and
// no site is written.
//
// It is a module of its own, for it is the only user of a Markdown library (goldmark).
package main
