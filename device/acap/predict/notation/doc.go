// SPDX-License-Identifier: Apache-2.0

// Package notation reads rows of published measurements as their sources write them: tables of CSV text, numbers and
// ranges, and words whose spelling varies.
package notation
