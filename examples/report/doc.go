// SPDX-License-Identifier: Apache-2.0

// Command report runs one trained model on three arrays and prints what each took:
// the time, its share of the array's peak, and what bounds it. It writes a timeline
// of the last array, for ui.perfetto.dev.
package main
