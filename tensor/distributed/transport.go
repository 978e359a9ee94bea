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
