package graph

// FewRows and LongRow say when a row is worth more threads than one: fewer rows than FewRows, each longer than LongRow,
// have a kernel for each pass, and each kernel has its own split.
const (
	FewRows = 4
	LongRow = 1 << 15
)

// CallRow is the longest row that one unit of a kernel walks through, for nothing can interrupt it.
const CallRow = 1 << 17
