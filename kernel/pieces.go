package kernel

// Pieces returns how many pieces of a size make n elements: the last piece may be smaller.
func Pieces(n, each int) int { return (n + each - 1) / each }

// Aligned rounds bytes of scratch memory up to whole lines of a cache.
func Aligned(bytes int) int { return (bytes + 63) &^ 63 }

// EvenPiece returns the size of the fewest pieces of at most so many elements that make n and differ little.
func EvenPiece(n, most int) int { return Pieces(n, Pieces(n, most)) }
