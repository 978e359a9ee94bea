package kernel

// Pieces returns how many pieces of a size make n elements: the last piece may be smaller.
func Pieces(n, each int) int { return (n + each - 1) / each }

// Aligned rounds bytes of scratch memory up to whole lines of a cache.
func Aligned(bytes int) int { return (bytes + 63) &^ 63 }

// EvenPiece returns the size of the pieces when n elements are cut into the fewest pieces of at most most elements that
// differ little.
func EvenPiece(n, most int) int { return Pieces(n, Pieces(n, most)) }

// Within returns which of n columns, the first in place col and step places apart, are inside a row of width places.
func Within(col, step, n, width int) (from, to int) {
	from = min(n, Pieces(max(0, -col), step))
	return from, max(from, min(n, Pieces(max(0, width-col), step)))
}
