// SPDX-License-Identifier: Apache-2.0

// Package trace records ATen calls without running them.
//
// A [Node] is one call: its operands, and a site that it shares with the other calls
// that one line of the program records with the same attributes and operand types. The
// site has the operator, the attributes and a hash of both, the result types and the
// return addresses of who recorded. Nodes are immutable once recorded, so recording
// takes no lock. A node whose results have been computed carries them and counts as a
// leaf from then on.
//
// [NoGrad] and scopes ([Within], [SetLocation]) hold for the goroutine that sets them,
// until it leaves them; goroutines that it starts do not inherit them.
//
// A [Graph] is what a set of values needs: the pending calls in order, and the
// leaves they start from. Its key identifies the program: equal keys mean equal
// calls, attributes, types and connections, whatever the data.
//
// Every walk is iterative: a chain of ten million nodes needs heap, not stack.
package trace
