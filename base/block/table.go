package block

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"sync"
)

// sixteen are the values of iq4nl and iq4xs.
var sixteen = [16]float32{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}

// iq4nl: a scale, and places in a table.
func iq4nl(out []float32, data []byte) {
	d := half(data)
	nibbles(data[2:], func(i, q int) { out[i] = d * sixteen[q] })
}

// grid is a table of rows that is unpacked when it is first read.
func grid(text string, width int, list ...float32) func() [][]float32 {
	return sync.OnceValue(func() (rows [][]float32) {
		packed, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			panic("BUG: block: " + err.Error())
		}
		width4, places := 2, 4
		if len(list) > 4 {
			width4, places = 4, 2
		}
		var all []float32
		for _, b := range packed {
			for i := range places {
				all = append(all, list[b>>(i*width4)&(1<<width4-1)])
			}
		}
		for ; len(all) > 0; all = all[width:] {
			rows = append(rows, all[:width])
		}
		return rows
	})
}

var (
	rows2XXS = grid(grid2XXS, 8, 0x08, 0x19, 0x2b)
	rows2XS  = grid(grid2XS, 8, 0x08, 0x19, 0x2b)
	rows2S   = grid(grid2S, 8, 0x08, 0x19, 0x2b)
	rows3XXS = grid(grid3XXS, 4, 0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c, 0x34, 0x3e)
	rows3S   = grid(grid3S, 4, 0x01, 0x03, 0x05, 0x07, 0x09, 0x0b, 0x0d, 0x0f)
	rows1    = grid(grid1, 8, -1, 0, 1)
)

// evenSigns gives the signs of eight values from seven bits: the eighth bit makes the number of set bits even.
func evenSigns(bits7 uint32) byte {
	return byte(bits7&127 | uint32(bits.OnesCount32(bits7&127)&1)<<7)
}

// signed stores a row of a table times a scale, with the signs of bits.
func signed(out []float32, scale float32, row []float32, signs byte) {
	for i, v := range row {
		if out[i] = float32(scale * v); signs>>i&1 != 0 {
			out[i] = -out[i]
		}
	}
}

// iq2xxs: parts of 32 with four bytes of places, and four times seven signs and a scale in four more.
func iq2xxs(out []float32, data []byte) {
	d := half(data)
	for part := range 8 {
		places := data[2+8*part:]
		rest := binary.LittleEndian.Uint32(places[4:])
		scale := d * (0.5 + float32(rest>>28)) * 0.25
		for i := range 4 {
			signed(out[32*part+8*i:], scale, rows2XXS()[places[i]], evenSigns(rest>>(7*i)))
		}
	}
}

// iq2xs: places of nine bits with seven signs, and scales of four bits for 16 values.
func iq2xs(out []float32, data []byte) {
	d, scales := half(data), data[66:]
	for i := range 32 {
		q := binary.LittleEndian.Uint16(data[2+2*i:])
		scale := d * (0.5 + float32(scales[i/4]>>(i/2%2*4)&15)) * 0.25
		signed(out[8*i:], scale, rows2XS()[q&511], evenSigns(uint32(q>>9)))
	}
}

// iq2s: places of ten bits, whose upper two lie apart, and eight signs each.
func iq2s(out []float32, data []byte) {
	d, low, signs, high, scales := half(data), data[2:34], data[34:66], data[66:74], data[74:82]
	for i := range 32 {
		q := int(low[i]) | int(high[i/4]>>(i%4*2)&3)<<8
		scale := d * (0.5 + float32(scales[i/4]>>(i/2%2*4)&15)) * 0.25
		signed(out[8*i:], scale, rows2S()[q], signs[i])
	}
}

// iq3xxs: as iq2xxs, with rows of four.
func iq3xxs(out []float32, data []byte) {
	d := half(data)
	for part := range 8 {
		places, rest := data[2+8*part:], binary.LittleEndian.Uint32(data[66+4*part:])
		scale := d * (0.5 + float32(rest>>28)) * 0.5
		for i := range 4 {
			signs := evenSigns(rest >> (7 * i))
			signed(out[32*part+8*i:], scale, rows3XXS()[places[2*i]], signs)
			signed(out[32*part+8*i+4:], scale, rows3XXS()[places[2*i+1]], signs>>4)
		}
	}
}

// iq3s: rows of four by places of nine bits, whose upper ones lie apart, and scales of four bits for 32 values.
func iq3s(out []float32, data []byte) {
	d, low, high, signs, scales := half(data), data[2:66], data[66:74], data[74:106], data[106:110]
	for i := range 64 {
		q := int(low[i]) | int(high[i/8]>>(i%8)&1)<<8
		scale := d * float32(1+2*int(scales[i/16]>>(i/8%2*4)&15))
		signed(out[4*i:], scale, rows3S()[q], signs[i/2]>>(i%2*4))
	}
}

// moved stores a row of a table plus an eighth with a sign, times a scale.
func moved(out []float32, scale float32, row []float32, down bool) {
	delta := float32(0.125)
	if down {
		delta = -delta
	}
	for i, v := range row {
		out[i] = scale * (v + delta)
	}
}

// iq1s: places of eleven bits, whose upper three lie beside a scale and the sign of an eighth for 32 values.
func iq1s(out []float32, data []byte) {
	d := half(data)
	for i := range 32 {
		high := binary.LittleEndian.Uint16(data[34+i/4*2:])
		q := int(data[2+i]) | int(high>>(i%4*3)&7)<<8
		moved(out[8*i:], d*float32(2*int(high>>12&7)+1), rows1()[q], high&0x8000 != 0)
	}
}

// iq1m: as iq1s, with a sign for each row, scales for 16 values, and the scale of the block in the upper bits of
// theirs.
func iq1m(out []float32, data []byte) {
	low, high, scales := data[:32], data[32:48], data[48:56]
	whole := uint16(0)
	for i := range 4 {
		whole |= binary.LittleEndian.Uint16(scales[2*i:]) >> 12 << (4 * i)
	}
	d := half(binary.LittleEndian.AppendUint16(nil, whole))
	for i := range 32 {
		part := i / 2
		scale := binary.LittleEndian.Uint16(scales[part/4*2:]) >> (part % 4 * 3) & 7
		h := high[i/2] >> (i % 2 * 4)
		moved(out[8*i:], d*float32(2*scale+1), rows1()[int(low[i])|int(h&7)<<8], h&8 != 0)
	}
}
