package function

// Predicate is a comparison of floats.
type Predicate int

const (
	Equal Predicate = iota
	Less
	NotEqual
	NotLess      // or a NaN
	NotLessEqual // or a NaN
	Unordered
	GreaterThan
	GreaterEqual
)
