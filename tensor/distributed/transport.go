package distributed

import "time"

// Piece is memory that one rank sends and another receives. Pieces between the same two ranks
// are told apart by their tags; both must have the same length.
type Piece struct {
	Rank int // of the other side
	Tag  uint64
	Data []byte
}

// Transport moves bytes between the ranks of a group. Its methods may be called by several
// goroutines at once.
type Transport interface {
	Rank() int
	Size() int

	// Exchange sends and receives pieces and returns when all is done. It reads and writes the
	// memory of the pieces without keeping it. If a rank has failed, or nothing moves for
	// longer than a time, the error is a [*RankError].
	Exchange(send, receive []Piece, timeout time.Duration) error

	// Abort makes the exchanges of all ranks, which may be waiting, fail.
	Abort(err error)

	// Close ends the group; no exchange may be going on.
	Close() error
}

// Tags count exchanges from 1 upwards in the bits above the lowest. The lowest bit and two of the
// highest say what an exchange is for.
const (
	gatherTag = 1 << 62 // the second exchange of a collective
	pointTag  = 1 << 61 // what one rank sends to another, apart from collectives
)

// ShortTag makes a tag of the given number of bits, at least 8, for transports that have no longer
// ones. Tags of exchanges that may go on at the same time stay different.
func ShortTag(tag uint64, bits int) int {
	bits = max(bits, 8)
	kind := tag&1 | tag>>61&1<<1 | tag>>62&1<<2
	return int(kind | tag>>1<<3&(1<<bits-1))
}
