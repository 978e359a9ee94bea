package graph

// fewRows and longRow say when a row is worth more threads than one: then its
// passes stay apart, each with its own split.
const (
	FewRows = 4
	LongRow = 1 << 15
)

// CallRow is the longest row that one unit of a kernel walks through, for nothing can interrupt it.
const CallRow = 1 << 17
