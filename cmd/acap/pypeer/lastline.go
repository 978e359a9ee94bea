package pypeer

import (
	"strings"
)

// LastLine is the last line of what a program has written, which says what went wrong.
func LastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
