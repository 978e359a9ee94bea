package stablehlo_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestRandomBits: numbers go on where those before ended, over the end of the counter's low word too; the default
// algorithm is the one that the length of the state stands for, other keys give other numbers, and bits are as often 0
// as 1.
func TestRandomBits(t *testing.T) {
	draw := func(algorithm string, state []uint64, n, width int) (*buf.Buffer, []uint64) {
		kind, out := fmt.Sprintf("tensor<%dxui64>", len(state)), fmt.Sprintf("tensor<%dxui%d>", n, width)
		s := buf.New(dtype.U64, []int{len(state)})
		copy(buf.Slice[uint64](s), state)
		got := compute(t, fmt.Sprintf(`func.func @main(%%s: %[1]s) -> (%[1]s, %[2]s) {
			%%0:2 = "stablehlo.rng_bit_generator"(%%s) {rng_algorithm = #stablehlo<rng_algorithm %[3]s>} : (%[1]s) -> (%[1]s, %[2]s)
			return %%0#0, %%0#1 : %[1]s, %[2]s
		}`, kind, out, algorithm), s)
		return got[1], buf.Slice[uint64](got[0])
	}
	// The known answers of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011, for a key and a counter
	// of 0.
	for algorithm, want := range map[string][]uint32{"THREE_FRY": {0x6b200159, 0x99ba4efe}, "PHILOX": {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}} {
		got, _ := draw(algorithm, []uint64{0, 0}, len(want), 32)
		require.Equal(t, want, buf.Slice[uint32](got), algorithm)
	}
	for i, c := range []struct {
		algorithm string
		state     []uint64
		same      string
	}{
		{"THREE_FRY", []uint64{7, 3}, "DEFAULT"}, {"PHILOX", []uint64{7, 3}, ""}, {"PHILOX", []uint64{7, 3, 9}, "DEFAULT"},
		{"THREE_FRY", []uint64{1 << 63, math.MaxUint64}, ""}, {"PHILOX", []uint64{5, math.MaxUint64 - 1, 9}, ""},
	} {
		for again, width := range []int{8 << (i % 4), 8 << ((i + 2) % 4)} {
			name := fmt.Sprint(c.algorithm, c.state, width)
			all, end := draw(c.algorithm, c.state, 48, width)
			first, between := draw(c.algorithm, c.state, 16, width)
			second, last := draw(c.algorithm, between, 32, width)
			require.Equal(t, end, last, name)
			require.Equal(t, all.Bytes(), append(append([]byte{}, first.Bytes()...), second.Bytes()...), name)
			require.Equal(t, c.state[0], end[0], "the key stays")
			ones := 0
			for _, b := range all.Bytes() {
				ones += strings.Count(fmt.Sprintf("%b", b), "1")
			}
			half := float64(4 * len(all.Bytes()))
			require.InDelta(t, half, ones, 5*math.Sqrt(half/2), name)
			if again == 1 {
				continue
			}
			if c.same != "" {
				other, _ := draw(c.same, c.state, 48, width)
				require.Equal(t, all.Bytes(), other.Bytes(), name)
			}
			changed := append([]uint64{}, c.state...)
			changed[0] ^= 1 << 40
			other, _ := draw(c.algorithm, changed, 48, width)
			require.NotEqual(t, all.Bytes(), other.Bytes(), name)
		}
	}
}
