package hostile

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/rand/v2"
)

// Numbers are forms of a file that holds integers of 1, 2, 4 or 8 bytes, lower bytes first: one of them is another. The
// half of the places is where such an integer seems to stand, with zeros above.
func Numbers(sound []byte, count int) iter.Seq2[string, []byte] {
	var places []int // of integers of 8 bytes, and of 4
	for i := 0; i+8 <= len(sound); i++ {
		if sound[i] != 0 && !bytes.ContainsFunc(sound[i+2:i+4], func(r rune) bool { return r != 0 }) {
			places = append(places, i)
		}
	}
	change := func(size int) func(r *rand.Rand) []byte {
		return func(r *rand.Rand) []byte {
			at := r.IntN(len(sound))
			if size > 1 && len(places) > 0 && r.IntN(2) == 0 {
				at = places[r.IntN(len(places))]
			}
			data := bytes.Clone(sound)
			n := numbers[r.IntN(len(numbers))]
			switch r.IntN(4) {
			case 0:
				n = uint64(data[at]) + 1
			case 1:
				n = uint64(data[at]) - 1
			}
			copy(data[at:min(at+size, len(data))], binary.LittleEndian.AppendUint64(nil, n))
			return data
		}
	}
	return all(sound, count, map[string]func(r *rand.Rand) []byte{
		"1 byte": change(1), "2 bytes": change(2), "4 bytes": change(4), "8 bytes": change(8),
	})
}
