package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// chunk is how many numbers are read at once.
const chunk = 32

// format is how blocks of one format are read.
type format struct {
	signed bool // the numbers are signed bytes, and else at most 127
	most   byte // the highest number, of those that are not signed
	zero   byte // what is taken away from numbers that are not signed
	parts  int  // of a block that have scales of their own: 0, 8 or 16
	least  sign // what is done with a least value beside the scales
	before bool // what has the place of least values are zero points, which are taken away before numbers are scaled
	// numbers emits the load of 32 numbers of the block at e.block to e.w. It may use e.t and e.u.
	numbers func(e *emitter, chunk int)
	// sixteenfold does the same but for the last 16 numbers, which are left 4 bits higher; nil if that saves nothing.
	sixteenfold func(e *emitter, chunk int)
	// scales emits the load of the scales of a block: e.d gets that of the block in all lanes, and the lower halves of e.low and e.high get
	// those of the parts, eight numbers of 16 bits in each. A least value of a block without parts goes to all lanes of e.least; those
	// of parts go to e.least and, from the ninth on, to e.spare, as f32. It may use e.w, e.t and e.u.
	scales func(e *emitter)
	// several does the same for n chunks of blocks without parts, which lie one behind the other: each lane is that of
	// a chunk, or 0. What it has for e.least is added or subtracted once numbers are scaled.
	several func(e *emitter, n int)
}

type sign uint8

const (
	none sign = iota
	added
	subtracted
)

var formats = map[dtype.Format]format{
	dtype.Q8_0: {signed: true, numbers: func(e *emitter, _ int) { e.emit(asm.VMOVDQU, e.w, e.at(2)) }, scales: leading, several: severalLeading},
	dtype.Q4_0: {most: 15, zero: 8, numbers: func(e *emitter, _ int) { e.nibbles(2) },
		sixteenfold: func(e *emitter, _ int) { e.higherNibbles(2) }, scales: leading, several: severalLeading},
	dtype.Q4_1: {most: 15, least: added, numbers: func(e *emitter, _ int) { e.nibbles(4) },
		sixteenfold: func(e *emitter, _ int) { e.higherNibbles(4) }, scales: leadingPair, several: severalPairs},
	dtype.Q5_0: {most: 31, zero: 16, numbers: func(e *emitter, _ int) {
		e.nibbles(6)
		e.fifthBits(2)
	}, scales: leading, several: severalLeading},
	dtype.Q5_1: {most: 31, least: added, numbers: func(e *emitter, _ int) {
		e.nibbles(8)
		e.fifthBits(4)
	}, scales: leadingPair, several: severalPairs},
	dtype.IQ4_NL: {signed: true, numbers: func(e *emitter, _ int) {
		e.nibbles(2)
		e.lookup(sixteen)
	}, scales: leading, several: severalLeading},
	dtype.MXFP4: {most: 24, zero: 12, numbers: func(e *emitter, _ int) {
		e.nibbles(1)
		e.lookup(fours)
	}, scales: powerOfTwo, several: severalPowers},
	dtype.Q4_K: {most: 15, parts: 8, least: subtracted, numbers: fourBits(16), scales: pairsOfSix},
	dtype.Q5_K: {most: 31, parts: 8, least: subtracted, numbers: fiveBits, scales: pairsOfSix},
	dtype.Q6_K: {most: 63, zero: 32, parts: 16, numbers: sixBits, scales: signedBytes},
	dtype.Q2_K: {most: 3, parts: 16, least: subtracted, numbers: twoBits, scales: pairsOfFour},
	dtype.Q3_K: {most: 7, zero: 4, parts: 16, numbers: threeBits, scales: scalesOfSix},
	dtype.IQ4_XS: {signed: true, parts: 8, numbers: func(e *emitter, c int) {
		e.nibbles(8 + 16*c)
		e.lookup(sixteen)
	}, scales: splitSix},
}

func init() {
	for f := range dtype.NumFormats {
		if g, ok := f.Group(); ok {
			formats[f] = group(g)
		}
	}
}

// The values of the formats that look them up.
var (
	sixteen = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
	fours   = [16]int8{12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0} // twice the floats of 4 bits, and 12
)
