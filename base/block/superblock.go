package block

import "encoding/binary"

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

// q5k: as q4k, with a fifth bit: the fifth bits of part p are bit p of 32 bytes.
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
		out[i] = float32(d*float32(int8(scales[i/16]))) * float32(int(q)-32)
	}
}

// q2k: sixteen parts of 16 with a scale and a least number of four bits each, in multiples of two numbers of the block.
// The numbers of four rows of 32 share their bytes.
func q2k(out []float32, data []byte) {
	scales, numbers, d, least := data[:16], data[16:80], half(data[80:]), half(data[82:])
	for i := range out {
		side, row, at, part := i/128, i%128/32, i%32, i/16
		q := numbers[side*32+at] >> (2 * row) & 3
		scale, offset := float32(d*float32(scales[part]&15)), float32(least*float32(scales[part]>>4))
		out[i] = float32(scale*float32(q)) - offset
	}
}

// q3k: as q2k, with a third bit, which takes 4 away where it is not set, and scales of six bits from -32.
func q3k(out []float32, data []byte) {
	high, numbers, scales, d := data[:32], data[32:96], data[96:108], half(data[108:])
	for i := range out {
		side, row, at, part := i/128, i%128/32, i%32, i/16
		q := int(numbers[side*32+at] >> (2 * row) & 3)
		if high[at]>>(i/32)&1 == 0 {
			q -= 4
		}
		scale := int(scales[part%8]>>(part/8*4)&15 | scales[8+part%4]>>(part/4*2)&3<<4)
		out[i] = float32(d*float32(scale-32)) * float32(q)
	}
}

// tq10: five numbers from -1 to 1 in a byte, as the digits of a fraction to the base of three; four in each of the last
// four bytes.
func tq10(out []float32, data []byte) {
	d := half(data[52:])
	digit := func(b byte, place int) float32 {
		for range place {
			b *= 3
		}
		return float32(int(uint16(b)*3>>8) - 1)
	}
	for i := range 256 {
		switch {
		case i < 160:
			out[i] = d * digit(data[i%32], i/32)
		case i < 240:
			out[i] = d * digit(data[32+i%16], (i-160)/16)
		default:
			out[i] = d * digit(data[48+i%4], (i-240)/4)
		}
	}
}

// tq20: four rows of 32 numbers from -1 to 2 share their bytes.
func tq20(out []float32, data []byte) {
	d := half(data[64:])
	for i := range out {
		out[i] = d * float32(int(data[i/128*32+i%32]>>(i%128/32*2)&3)-1)
	}
}

// iq4xs: as iq4nl, in eight parts of 32 whose scales have six bits from -32.
func iq4xs(out []float32, data []byte) {
	d, high := half(data), binary.LittleEndian.Uint16(data[2:])
	for part := range 8 {
		scale := int(data[4+part/2]>>(part%2*4)&15) | int(high>>(2*part)&3)<<4
		dl := d * float32(scale-32)
		nibbles(data[8+16*part:], func(i, q int) { out[32*part+i] = dl * sixteen[q] })
	}
}
