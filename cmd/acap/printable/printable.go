package printable

import (
	"fmt"
	"io"
	"os"
)

// Messages is standard error, to which a [Text] is written.
var Messages io.Writer = messages{}

type messages struct{}

func (messages) Write(data []byte) (int, error) {
	if _, err := os.Stderr.Write(Text(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Text is a text in which characters that control a terminal, other than ends of lines and tabs, are written as \x1b
// and the like. A text without them is returned as it is.
func Text(text []byte) []byte {
	var out []byte
	done := 0
	for i, c := range text {
		if c >= ' ' && c != 0x7f || c == '\n' || c == '\t' {
			continue
		}
		out = fmt.Appendf(append(out, text[done:i]...), `\x%02x`, c)
		done = i + 1
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}
