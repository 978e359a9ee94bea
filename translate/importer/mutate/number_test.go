package mutate

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumber: most numbers are small, all small ones come, and the other numbers are the table's, all of which come.
func TestNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	drawn := map[int64]int{}
	for range 8000 {
		drawn[number(r)]++
	}
	small := 0
	for n, times := range drawn {
		if n >= -3 && n <= 8 {
			small += times
		} else {
			require.Contains(t, numbers, n)
		}
	}
	for n := int64(-3); n <= 8; n++ {
		require.Greater(t, drawn[n], 200, n)
	}
	for _, n := range numbers {
		require.Positive(t, drawn[n], n)
	}
	require.Greater(t, small, 4000)
}

// TestInstructions: a pickle falls into its instructions, whichever they are; what is cut off is one more.
func TestInstructions(t *testing.T) {
	want := []string{"\x80\x02", "\x95\x01\x00\x00\x00\x00\x00\x00\x00", "}", "(", "K\x01", "h\x02", "q\x03", "M\x01\x02", "J\x01\x02\x03\x04", "j\x01\x02\x03\x04",
		"r\x01\x02\x03\x04", "G\x01\x02\x03\x04\x05\x06\x07\x08", "I12\n", "L3L\n", "F1.5\n", "S'a'\n", "Vb\n", "Pid\n", "g1\n", "p2\n", "cos\nsystem\n", "im\nC\n",
		"U\x02ab", "C\x01c", "\x8c\x03def", "\x8a\x01\xff", "X\x02\x00\x00\x00gh", "B\x01\x00\x00\x00i", "T\x00\x00\x00\x00", "N", "."}
	whole := strings.Join(want, "")
	var got []string
	for _, in := range instructions([]byte(whole)) {
		got = append(got, string(in))
	}
	require.Equal(t, want, got)
	for n := range len(whole) {
		require.Equal(t, whole[:n], string(bytes.Join(instructions([]byte(whole[:n])), nil)))
		r := rand.New(rand.NewPCG(uint64(n), 1))
		require.NotPanics(t, func() { Pickle(r, []byte(whole[:n])) })
	}
}
