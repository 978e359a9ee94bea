package printable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/printable"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"a\tb\n":                   "a\tb\n",
		"naïve 😀 \xff":             "naïve 😀 \xff",
		"\x1b]0;title\x07x\r\x7fy": `\x1b]0;title\x07x\x0d\x7fy`,
		"end\x00":                  `end\x00`,
	} {
		require.Equal(t, want, string(printable.Text([]byte(text))))
	}
}
