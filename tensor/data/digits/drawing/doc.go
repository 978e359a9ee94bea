// SPDX-License-Identifier: Apache-2.0

// Package drawing draws digits with common fonts, turned, scaled, moved and noisy, as many as
// wanted: a dataset for examples and tests that no file holds.
package drawing
