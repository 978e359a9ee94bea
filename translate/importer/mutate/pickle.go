package mutate

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// Pickle drops, repeats and exchanges instructions of a pickle, and changes their arguments.
func Pickle(r *rand.Rand, data []byte) []byte {
	list := instructions(data)
	for range 1 + r.IntN(3) {
		if len(list) == 0 {
			break
		}
		at, other := r.IntN(len(list)), r.IntN(len(list))
		switch r.IntN(7) {
		case 0:
			list = slices.Delete(list, at, at+1)
		case 1:
			list = slices.Insert(list, at, list[other])
		case 2:
			list[at], list[other] = list[other], list[at]
		case 3:
			list[at] = list[other]
		case 4, 5:
			list[at] = argument(r, list[at])
		case 6: // memo and containers make cycles
			list = slices.Insert(list, at, []byte{'h', byte(r.IntN(20))}, []byte{"a0b2Rs"[r.IntN(6)]})
		}
	}
	return bytes.Join(list, nil)
}

// argument changes the argument of an instruction, if it is a number or a text.
func argument(r *rand.Rand, in []byte) []byte {
	out := slices.Clone(in)
	if length(in) > len(in) {
		return out
	}
	switch in[0] {
	case 'K', 'q', 'h':
		out[1] = byte(number(r))
	case 'M':
		binary.LittleEndian.PutUint16(out[1:], uint16(number(r)))
	case 'J', 'r', 'j':
		binary.LittleEndian.PutUint32(out[1:], uint32(number(r)))
	case 'X', 'U', 0x8c, 'c':
		if n := len(out); n > 6 {
			out[n-1-r.IntN(n-5)] = byte('0' + r.IntN(75))
		}
	default:
		if r.IntN(4) == 0 {
			long := append([]byte{0x8a, 8}, make([]byte, 8)...)
			binary.LittleEndian.PutUint64(long[2:], uint64(number(r)))
			return long
		}
		out[0] = "()]}NK.0RQabedtus"[r.IntN(17)]
	}
	return out
}

// instructions splits a pickle into its instructions, as far as they are known; the rest is one more.
func instructions(data []byte) [][]byte {
	var list [][]byte
	for len(data) > 0 {
		n := length(data)
		if n <= 0 || n > len(data) {
			return append(list, data)
		}
		list, data = append(list, data[:n:n]), data[n:]
	}
	return list
}

// length returns the bytes of the first instruction.
func length(data []byte) int {
	need := func(n int) bool { return len(data) > n }
	line := func(from int) int {
		i := bytes.IndexByte(data[from:], '\n')
		if i < 0 {
			return len(data)
		}
		return from + i + 1
	}
	switch data[0] {
	case 'K', 'h', 'q', 0x80:
		return 2
	case 'M':
		return 3
	case 'J', 'j', 'r':
		return 5
	case 'G', 0x95:
		return 9
	case 'I', 'L', 'F', 'S', 'V', 'P', 'g', 'p':
		return line(1)
	case 'c', 'i':
		return line(min(line(1), len(data)))
	case 'U', 'C', 0x8c, 0x8a:
		if need(1) {
			return 2 + int(data[1])
		}
	case 'X', 'B', 'T':
		if need(4) {
			return 5 + int(binary.LittleEndian.Uint32(data[1:]))
		}
	}
	return 1
}
