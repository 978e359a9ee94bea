package block_test

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
)

// recorded is the output of testdata/record.py.
//
//go:embed testdata/blocks.bin
var recorded []byte

// TestDecode: blocks of every format have the values that gguf-py reads, bit for bit.
func TestDecode(t *testing.T) {
	little, data, seen := binary.LittleEndian, recorded, 0
	for len(data) > 0 {
		name := string(bytes.TrimRight(data[:8], "\x00"))
		size, values, n := int(little.Uint32(data[8:])), int(little.Uint32(data[12:])), int(little.Uint32(data[16:]))
		data = data[20:]
		f, ok := dtype.FormatNamed(name)
		require.True(t, ok, name)
		require.Equal(t, []int{size, values}, []int{f.Bytes(), f.Block()}, name)
		got := make([]float32, n*values)
		block.Decode(f, got, data[:n*size])
		data = data[n*size:]
		for i, v := range got {
			want := math.Float32frombits(little.Uint32(data[4*i:]))
			if math.IsNaN(float64(v)) && math.IsNaN(float64(want)) {
				continue
			}
			require.Equal(t, math.Float32bits(want), math.Float32bits(v), "%s, value %d: %g, want %g", name, i, v, want)
		}
		data = data[4*n*values:]
		seen++
	}
	for _, f := range dtype.StoredFormats() {
		if _, ok := f.Group(); ok { // which gguf-py does not know
			seen++
		}
	}
	require.Len(t, dtype.StoredFormats(), seen)
}

// TestDecodeGroups: groups stand for the numbers that their description has, reckoned by hand.
func TestDecodeGroups(t *testing.T) {
	words := func(list ...float32) (data []byte) {
		for _, v := range list {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		return data
	}
	for _, c := range []struct {
		group   dtype.Group
		header  []byte
		numbers map[int]byte // the byte at a place, the others are 0
		want    map[int]float32
		rest    float32
	}{
		{dtype.Group{Bits: 4, Size: 32}, words(0.5), map[int]byte{0: 0x9F, 15: 0x70}, map[int]float32{0: 3.5, 16: 0.5, 31: -0.5}, -4},
		{dtype.Group{Bits: 4, Size: 128, Offset: dtype.ZeroPoint}, words(-2, 3), map[int]byte{16: 0x51}, map[int]float32{32: 4, 48: -4}, 6},
		{dtype.Group{Bits: 4, Size: 32, Offset: dtype.Least}, words(0.25, 10), map[int]byte{1: 0x0C}, map[int]float32{1: 11}, 8},
		{dtype.Group{Bits: 8, Size: 128}, words(0.1), map[int]byte{127: 0x80, 3: 7}, map[int]float32{127: -12.8, 3: 0.7}, 0},
		{dtype.Group{Bits: 8, Size: 32, Offset: dtype.ZeroPoint}, words(3, -1.5), map[int]byte{31: 0xFF}, map[int]float32{31: 1.5}, 4.5},
		{dtype.Group{Bits: 8, Size: 32, Offset: dtype.Least}, words(2, 1), map[int]byte{5: 0x7F}, map[int]float32{5: 255}, 1},
	} {
		f, ok := c.group.Format()
		require.True(t, ok)
		again, ok := f.Group()
		require.True(t, ok)
		require.Equal(t, c.group, again)
		named, ok := dtype.FormatNamed(c.group.String())
		require.True(t, ok)
		require.Equal(t, f, named)
		data := append(c.header, make([]byte, c.group.Size*c.group.Bits/8)...)
		for at, b := range c.numbers {
			data[len(c.header)+at] = b
		}
		got := make([]float32, f.Block())
		block.Decode(f, got, data)
		for i, v := range got {
			want, ok := c.want[i]
			if !ok {
				want = c.rest
			}
			require.Equal(t, want, v, "%v, value %d", f, i)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	require.Panics(t, func() { block.Decode(dtype.Q8_0, make([]float32, 32), make([]byte, 33)) })
	require.Panics(t, func() { block.Decode(dtype.Q4, make([]float32, 32), make([]byte, 18)) })
}
