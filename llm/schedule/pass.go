package schedule

import "math/bits"

// Pass is the numbers of a pass: of sequences, of tokens, and of places that each token sees.
type Pass struct{ Sequences, Tokens, Seen int }

const (
	// MostPiece is the most tokens of prompts that a pass computes.
	MostPiece = 512
	// LeastPiece is up to how many tokens a piece that is alone is filled up at least.
	LeastPiece = 8
	// LeastSeen is the shortest cache that a pass looks at.
	LeastSeen = 256
	// mostRows is up to how many tokens a piece is rows of a pass.
	mostRows = 16
)

// Bucket is the number that n is filled up to: a power of two.
func Bucket(n, least, most int) int {
	return min(max(1<<bits.Len(uint(max(n, 1)-1)), least), max(most, n))
}

// Rows is the number of rows that a pass for n of them has: a power of two, or three quarters of one.
func Rows(n, least, most int) int {
	rows := Bucket(n, least, most)
	if n <= rows/4*3 && rows >= 4 {
		rows = max(rows/4*3, least)
	}
	return rows
}
