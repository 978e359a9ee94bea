package lazytest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDiffer: the first line that differs is found, also where one text has ended.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		line int
		h, w string
	}{
		{"", "", 0, "", ""}, {"a\nb", "a\nb", 0, "", ""}, {"a\nb", "a\nc\nd", 2, "b", "c"}, {"x", "a\nb", 1, "x", "a"},
		{"a\nb", "a", 2, "b", "nothing"}, {"a", "a\nb", 2, "nothing", "b"}, {"a\nnothing", "a", 2, "nothing", "nothing"},
	} {
		line, h, w := differ(c.a, c.b)
		require.Equal(t, []any{c.line, c.h, c.w}, []any{line, h, w})
	}
}
