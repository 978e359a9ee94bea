package gguf

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
)

// kind is an element type of the format: blocks of so many elements in so many bytes.
type kind struct {
	name         string
	dtype        dtype.DType // that they are read as
	block, bytes int
	decode       func(out []float32, data []byte) // a block; nil if elements are stored as they are
}

// kinds are the types by their numbers.
var kinds = map[uint32]kind{
	0: {"F32", dtype.F32, 1, 4, nil}, 1: {"F16", dtype.F16, 1, 2, nil}, 24: {"I8", dtype.I8, 1, 1, nil},
	25: {"I16", dtype.I16, 1, 2, nil}, 26: {"I32", dtype.I32, 1, 4, nil}, 27: {"I64", dtype.I64, 1, 8, nil},
	28: {"F64", dtype.F64, 1, 8, nil}, 30: {"BF16", dtype.BF16, 1, 2, nil},
	2: {"Q4_0", dtype.F32, 32, 18, q40}, 3: {"Q4_1", dtype.F32, 32, 20, q41}, 6: {"Q5_0", dtype.F32, 32, 22, q50},
	7: {"Q5_1", dtype.F32, 32, 24, q51}, 8: {"Q8_0", dtype.F32, 32, 34, q80},
	12: {"Q4_K", dtype.F32, 256, 144, q4k}, 13: {"Q5_K", dtype.F32, 256, 176, q5k}, 14: {"Q6_K", dtype.F32, 256, 210, q6k},
}

// half reads a number of f16.
func half(data []byte) float32 { return dtype.Float16(binary.LittleEndian.Uint16(data)).Float32() }

// nibbles gives the 32 numbers of 16 bytes: the low halves first.
func nibbles(data []byte, f func(i, q int)) {
	for i, b := range data[:16] {
		f(i, int(b&15))
		f(i+16, int(b>>4))
	}
}

// q40: a scale, and numbers from -8.
func q40(out []float32, data []byte) {
	d := half(data)
	nibbles(data[2:], func(i, q int) { out[i] = float32(q-8) * d })
}

// q41: a scale and a least number.
func q41(out []float32, data []byte) {
	d, least := half(data), half(data[2:])
	nibbles(data[4:], func(i, q int) { out[i] = float32(float32(q)*d) + least })
}

// q50: a scale, a fifth bit of each number, and numbers from -16.
func q50(out []float32, data []byte) {
	d, high := half(data), binary.LittleEndian.Uint32(data[2:])
	nibbles(data[6:], func(i, q int) { out[i] = float32(q|int(high>>i&1)<<4-16) * d })
}

// q51: a scale, a least number, and a fifth bit of each number.
func q51(out []float32, data []byte) {
	d, least, high := half(data), half(data[2:]), binary.LittleEndian.Uint32(data[4:])
	nibbles(data[8:], func(i, q int) { out[i] = float32(float32(q|int(high>>i&1)<<4)*d) + least })
}

// q80: a scale and signed bytes.
func q80(out []float32, data []byte) {
	d := half(data)
	for i := range out {
		out[i] = float32(int8(data[2+i])) * d
	}
}

// sixBits gives the scale and the least number of one of the eight parts of a block of 256: six bits each, the
// upper two of the later ones in the bytes of the earlier ones.
func sixBits(data []byte, part int) (scale, least float32) {
	if part < 4 {
		return float32(data[part] & 63), float32(data[part+4] & 63)
	}
	return float32(data[part+4]&15 | data[part-4]>>6<<4), float32(data[part+4]>>4 | data[part]>>6<<4)
}

// q4k: eight parts of 32 with a scale and a least number each, in multiples of two numbers of the block. Two
// parts share 32 bytes.
func q4k(out []float32, data []byte) {
	d, least, numbers := half(data), half(data[2:]), data[16:]
	for part := range 8 {
		scale, offset := sixBits(data[4:], part)
		scale, offset = scale*d, float32(offset*least)
		for i := range 32 {
			q := numbers[part/2*32+i] >> (part % 2 * 4) & 15
			out[part*32+i] = float32(scale*float32(q)) - offset
		}
	}
}

// q5k: as q4k, with a fifth bit: that of part p is bit p of 32 bytes.
func q5k(out []float32, data []byte) {
	d, least, high, numbers := half(data), half(data[2:]), data[16:48], data[48:]
	for part := range 8 {
		scale, offset := sixBits(data[4:], part)
		scale, offset = scale*d, float32(offset*least)
		for i := range 32 {
			q := numbers[part/2*32+i]>>(part%2*4)&15 | high[i]>>part&1<<4
			out[part*32+i] = float32(scale*float32(q)) - offset
		}
	}
}

// q6k: sixteen parts of 16 with a signed scale each, and numbers from -32 whose upper two bits lie apart.
func q6k(out []float32, data []byte) {
	low, high, scales, d := data[:128], data[128:192], data[192:208], half(data[208:])
	for i := range out {
		side, row, at := i/128, i%128/32, i%32
		q := low[side*64+row%2*32+at] >> (row / 2 * 4) & 15
		q |= high[side*32+at] >> (row * 2) & 3 << 4
		out[i] = d * float32(int8(scales[i/16])) * float32(int(q)-32)
	}
}
