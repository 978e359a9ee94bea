package hostile

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/rand/v2"
)

// pickleOps cuts a pickle of protocol 2 to 5 into its operations, up to the first that is not known.
func pickleOps(data []byte) (ops [][]byte) {
	for len(data) > 0 {
		n := 1
		switch data[0] {
		case 'K', 'q', 'h', 0x80: // of one byte
			n = 2
		case 'M':
			n = 3
		case 'J', 'j', 'r':
			n = 5
		case 'G', 0x95:
			n = 9
		case 0x8a, 0x8c, 'U', 'C': // a length of one byte
			if len(data) > 1 {
				n = 2 + int(data[1])
			}
		case 'X', 'B', 'T', 0x8b: // of four
			if len(data) > 4 {
				n = 5 + int(binary.LittleEndian.Uint32(data[1:]))
			}
		case 'c': // two lines
			first := bytes.IndexByte(data, '\n')
			n = first + 2 + bytes.IndexByte(data[first+1:], '\n')
		}
		if n <= 0 || n > len(data) {
			return append(ops, data)
		}
		ops, data = append(ops, data[:n:n]), data[n:]
	}
	return ops
}

// Pickles are forms of a pickle: a number or text is another, or operations are missing, twice, or exchanged.
func Pickles(sound []byte, count int) iter.Seq2[string, []byte] {
	change := func(f func(r *rand.Rand, ops [][]byte, at int) [][]byte) func(r *rand.Rand) []byte {
		return func(r *rand.Rand) []byte {
			ops := pickleOps(bytes.Clone(sound))
			return bytes.Join(f(r, ops, r.IntN(len(ops))), nil)
		}
	}
	return all(sound, count, map[string]func(r *rand.Rand) []byte{
		"another number": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			for range 50 {
				if c := ops[at][0]; c == 'K' || c == 'M' || c == 'J' || c == 0x8a {
					ops[at] = append([]byte{0x8a, 9}, append(binary.LittleEndian.AppendUint64(nil, numbers[r.IntN(len(numbers))]), 0)...)
					return ops
				}
				at = r.IntN(len(ops))
			}
			return ops
		}),
		"another value": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			ops[at] = [][]byte{{'N'}, {0x88}, {')'}, {']'}, {'}'}, {'K', 3}, []byte("X\x01\x00\x00\x00x"), {'G', 0x7f, 0xf8, 0, 0, 0, 0, 0, 0}}[r.IntN(8)]
			return ops
		}),
		"value of another": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			ops[at] = ops[r.IntN(len(ops))]
			return ops
		}),
		"missing": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte { return append(ops[:at:at], ops[at+1:]...) }),
		"twice": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			return append(ops[:at+1:at+1], ops[at:]...)
		}),
		"exchanged": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			other := r.IntN(len(ops))
			ops[at], ops[other] = ops[other], ops[at]
			return ops
		}),
		"deep": change(func(r *rand.Rand, ops [][]byte, at int) [][]byte {
			ops[at] = bytes.Repeat([]byte{[]byte("](}2l")[r.IntN(5)]}, 200_000)
			return ops
		}),
	})
}
