package block

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// decoders read one block each.
var decoders = map[dtype.Format]func(out []float32, data []byte){
	dtype.Q4_0: q40, dtype.Q4_1: q41, dtype.Q5_0: q50, dtype.Q5_1: q51, dtype.Q8_0: q80,
	dtype.Q2_K: q2k, dtype.Q3_K: q3k, dtype.Q4_K: q4k, dtype.Q5_K: q5k, dtype.Q6_K: q6k,
	dtype.IQ4_NL: iq4nl, dtype.IQ4_XS: iq4xs, dtype.MXFP4: mxfp4, dtype.NVFP4: nvfp4,
	dtype.IQ2_XXS: iq2xxs, dtype.IQ2_XS: iq2xs, dtype.IQ2_S: iq2s, dtype.IQ3_XXS: iq3xxs, dtype.IQ3_S: iq3s,
	dtype.IQ1_S: iq1s, dtype.IQ1_M: iq1m, dtype.TQ1_0: tq10, dtype.TQ2_0: tq20,
}

// Decode reads whole blocks of a format that says what bytes are. It panics if out and data do not hold as many blocks.
func Decode(f dtype.Format, out []float32, data []byte) {
	n, size := f.Block(), f.Bytes()
	decode := decoders[f]
	if g, ok := f.Group(); ok {
		decode = func(out []float32, data []byte) { group(g, out, data) }
	}
	if decode == nil || len(out)%n != 0 || len(out)/n*size != len(data) {
		panic(fmt.Sprintf("block: %d values of %v in %d bytes", len(out), f, len(data)))
	}
	for ; len(data) > 0; out, data = out[n:], data[size:] {
		decode(out[:n], data[:size])
	}
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
	for i, q := range data[2 : 2+len(out)] {
		out[i] = float32(int8(q)) * d
	}
}

// fours are twice the numbers of the float of 4 bits with two bits of exponent.
var fours = [16]float32{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}

// mxfp4: half a power of two, and floats of 4 bits.
func mxfp4(out []float32, data []byte) {
	bits := uint32(0x00200000) << data[0] // two subnormal numbers
	if data[0] >= 2 {
		bits = uint32(data[0]-1) << 23
	}
	d := math.Float32frombits(bits)
	nibbles(data[1:], func(i, q int) { out[i] = d * fours[q] })
}

// nvfp4: four parts of 16 with half a number of float8 without a sign each.
func nvfp4(out []float32, data []byte) {
	for part := range 4 {
		exponent, fraction := data[part]>>3&15, float64(data[part]&7)
		scale := math.Ldexp(1+fraction/8, int(exponent)-7)
		switch {
		case data[part] == 0x7F: // which would be no number
			scale = 0
		case exponent == 0:
			scale = fraction / 512
		}
		d := float32(scale / 2)
		for i, b := range data[4+8*part : 12+8*part] {
			out[16*part+i], out[16*part+8+i] = d*fours[b&15], d*fours[b>>4]
		}
	}
}
