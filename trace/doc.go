// Package trace records ATen calls without running them.
//
// A [Node] is one call: its operator, arguments and result types, the program
// counter of the line that made it, and a hash of operator, attributes and types.
// Nodes are immutable once recorded, so recording takes no lock. A node whose
// results have been computed carries them and counts as a leaf from then on.
//
// [NoGrad] and scopes ([Enter], [SetLocation]) hold for the goroutine that sets them,
// until it leaves them; goroutines that it starts do not inherit them.
//
// A [Graph] is what a set of values needs: the pending calls in order, and the
// leaves they start from. Its key identifies the program: equal keys mean equal
// calls, attributes, types and connections, whatever the data.
//
// Every walk is iterative: a chain of ten million nodes needs heap, not stack.
package trace
