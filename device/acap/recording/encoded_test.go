package recording

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEncoded: a frame takes the fewest bytes that hold its idle cycles, in the forms of the trace units of AIE that
// mlir-aie's reader knows: 4, 10 and 18 bits, for one event and for several. The bytes are by hand.
func TestEncoded(t *testing.T) {
	for _, c := range []struct {
		set  byte
		idle int64
		want []byte
	}{
		{1 << 1, 3, []byte{0x13}},
		{1 << 7, 15, []byte{0x7f}},
		{1 << 0, 16, []byte{0x80, 16}},
		{1 << 3, 257, []byte{0x8d, 0x01}},
		{1 << 2, 1023, []byte{0x8b, 0xff}},
		{1 << 2, 1024, []byte{0xa8, 0x04, 0x00}},
		{3, 2, []byte{0xc0, 0x32}},
		{0x81, 15, []byte{0xc8, 0x1f}},
		{0x81, 16, []byte{0xd2, 0x04, 16}},
		{3, 1023, []byte{0xd0, 0x0f, 0xff}},
		{3, 0x10800, []byte{0xd4, 0x0d, 0x08, 0x00}},
	} {
		require.Equal(t, c.want, encoded(frame{set: c.set, idle: c.idle}), "events %08b after %d", c.set, c.idle)
	}
}
