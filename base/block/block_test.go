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

// recorded is what testdata/record.py writes.
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
	require.Len(t, dtype.StoredFormats(), seen)
}

func TestDecodeRefuses(t *testing.T) {
	require.Panics(t, func() { block.Decode(dtype.Q8_0, make([]float32, 32), make([]byte, 33)) })
	require.Panics(t, func() { block.Decode(dtype.Q4, make([]float32, 32), make([]byte, 18)) })
}
