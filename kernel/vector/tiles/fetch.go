package tiles

import "github.com/go-acap/acap/kernel/vector"

// Fetch says which part of the B that comes next each tile reads into caches. A round of the inner loop fetches lines
// of some pieces: first the lines at the beginning of each piece, then the lines behind, and so on. A tile goes on
// where the tile before it has stopped. The zero value fetches nothing.
type Fetch struct {
	Rounds int  // for each line of the pieces
	Pieces int  // in each of them
	Lines  int  // of the cache, in a piece
	Stride int  // bytes from a piece to the next
	Panels bool // fetching begins with each panel, at the panel behind the next one
}

// Bytes returns how far a tile comes.
func (f Fetch) Bytes() int { return f.Rounds * f.Pieces * f.Stride }

// round fetches for a round, and returns the address of the next round.
func (f Fetch) round(b *vector.Builder, at vector.Val) vector.Val {
	for i := range f.Pieces {
		b.Prefetch(at, i*f.Stride)
	}
	return b.Offset(at, f.Pieces*f.Stride)
}
