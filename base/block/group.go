package block

import (
	"encoding/binary"
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// group reads a block of a group.
func group(g dtype.Group, out []float32, data []byte) {
	word := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[at:])) }
	scale, zero, least, numbers := word(0), float32(0), float32(0), data[g.Header():]
	switch g.Offset {
	case dtype.ZeroPoint:
		zero = word(4)
	case dtype.Least:
		least = word(4)
	}
	if g.Bits == 4 && g.Offset != dtype.ZeroPoint {
		zero = 8
	}
	set := func(i int, q float32) {
		v := float32((q - zero) * scale)
		if g.Offset == dtype.Least {
			v += least
		}
		out[i] = v
	}
	if g.Bits == 8 {
		for i := range out {
			set(i, float32(int8(numbers[i])))
		}
		return
	}
	for first := 0; first < len(out); first += 32 {
		nibbles(numbers[first/2:], func(i, q int) { set(first+i, float32(q)) })
	}
}
