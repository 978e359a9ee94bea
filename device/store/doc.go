// SPDX-License-Identifier: Apache-2.0

// Package store keeps results on disk that took time to compute, such as compiled programs and the mapping of a kernel
// onto an array, so that later processes need not compute them again.
//
// The environment variable ACAP_CACHE names the folder; without it nothing is kept. An
// entry is a file of its own with a header: a format, the version of the program that
// wrote it, its kind, key and title, and a checksum over everything. Files are written beside and
// renamed, so that processes may share a folder; an entry that is cut short, altered, or
// from another version is as if it were not there, and is written anew. Links and pipes are neither
// followed nor waited for. Checksums guard against accidents: who can write the folder can put programs
// there that compute something else, so that a folder which other users can write is refused, unless
// ACAP_CACHE_SHARED is 1. Beyond
// ACAP_CACHE_LIMIT bytes (default 256 MiB) the entries used longest ago are removed; one
// entry has at most half of them.
package store
