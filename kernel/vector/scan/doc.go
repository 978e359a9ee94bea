// SPDX-License-Identifier: Apache-2.0

// Package scan makes vector programs of running folds. Each lane goes forward along a line of its own, in the order of
// the line: lines that lie side by side, or one behind the other, whichever fills more lanes. Accumulators stay in
// memory between calls, so that a call is short on long lines.
package scan
