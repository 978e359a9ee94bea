// SPDX-License-Identifier: Apache-2.0

// Package float describes binary floating-point formats: how their bits stand for numbers, and how
// numbers round to them.
package float
