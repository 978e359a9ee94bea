package store

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
)

// piece is how many bytes are brought and digested together, while they are in a cache.
const piece = buf.LargePage

// Digest is a checksum of data: as fast as memory is read, on several cores, so that weights can be told apart
// by their contents. It guards against accidents, not against forgery.
func Digest(data []byte) [sha256.Size]byte {
	sum, _ := digest(data, func([]byte, int) error { return nil })
	return sum
}

// digest is Digest of memory that bring fills: each piece, which starts at a place, just before it is digested.
func digest(data []byte, bring func(part []byte, at int) error) ([sha256.Size]byte, error) {
	n := (len(data) + piece - 1) / piece
	sums, errs := make([][sha256.Size]byte, n), make([]error, n)
	parallel.For(n, func(i int) {
		part := data[i*piece : min((i+1)*piece, len(data))]
		if errs[i] = bring(part, i*piece); errs[i] == nil {
			sums[i] = digestPiece(part)
		}
	})
	all := make([]byte, 0, n*sha256.Size)
	for i, sum := range sums {
		if errs[i] != nil {
			return [sha256.Size]byte{}, errs[i]
		}
		all = append(all, sum[:]...)
	}
	return sha256.Sum256(all), nil
}

func digestPiece(data []byte) [sha256.Size]byte {
	const a, b, c, d = 0x9e3779b97f4a7c15, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3
	lanes := [4]uint64{a, b, c, d}
	n := len(data)
	for len(data) >= 64 {
		lanes[0] = fold(lanes[0]^binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])^b)
		lanes[1] = fold(lanes[1]^binary.LittleEndian.Uint64(data[16:]), binary.LittleEndian.Uint64(data[24:])^c)
		lanes[2] = fold(lanes[2]^binary.LittleEndian.Uint64(data[32:]), binary.LittleEndian.Uint64(data[40:])^d)
		lanes[3] = fold(lanes[3]^binary.LittleEndian.Uint64(data[48:]), binary.LittleEndian.Uint64(data[56:])^a)
		data = data[64:]
	}
	var rest []byte
	for _, l := range lanes {
		rest = binary.LittleEndian.AppendUint64(rest, l)
	}
	rest = binary.LittleEndian.AppendUint64(rest, uint64(n))
	return sha256.Sum256(append(rest, data...))
}

func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo
}
