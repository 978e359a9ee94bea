// SPDX-License-Identifier: Apache-2.0

// Package trafficplot draws how long clients of a language model wait. It stands beside package traffic so that
// programs that draw nothing link no fonts.
package trafficplot
