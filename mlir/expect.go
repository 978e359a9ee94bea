package mlir

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// expectation is a comment that expects a diagnostic.
var expectation = regexp.MustCompile(`//\s*expected-(error|warning|note|remark)(?:-re)?\s*(?:@([+-]\d+|above|below))?\s*\{\{(.*?)\}\}`)

// MissedExpectations compares diagnostics with the comments of a text that expect them,
// one to one,
//
//	// expected-error@+1 {{text}}
//
// with the text on the line that the offset gives, "above", "below" or, without one, on
// their own. It returns a line for each diagnostic that is not expected and for each
// error that is missing, and how many are expected.
func MissedExpectations(text string, diags Diagnostics) (missed []string, expected int) {
	type want struct {
		line int
		text string
		met  bool
	}
	var wants []*want
	for n, line := range strings.Split(text, "\n") {
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			if m[1] != "error" {
				continue
			}
			offset, _ := strconv.Atoi(m[2])
			switch m[2] {
			case "above":
				offset = -1
			case "below":
				offset = 1
			}
			wants = append(wants, &want{line: n + 1 + offset, text: m[3]})
		}
	}
	for _, d := range diags {
		met := false
		for _, w := range wants {
			if !w.met && w.line == d.Loc.Line && strings.Contains(d.Message, w.text) {
				w.met, met = true, true
				break
			}
		}
		if !met {
			missed = append(missed, "unexpected: "+d.Error())
		}
	}
	for _, w := range wants {
		if !w.met {
			missed = append(missed, fmt.Sprintf("line %d: expected error %q was not produced", w.line, w.text))
		}
	}
	return missed, len(wants)
}

// Show returns the diagnostics with the lines of the source that they point at, and a
// caret under the column.
func (d Diagnostics) Show(source string) string {
	lines := strings.Split(source, "\n")
	var b strings.Builder
	for i, diagnostic := range d {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(diagnostic.Error())
		n, col := diagnostic.Loc.Line, diagnostic.Loc.Col
		if n < 1 || n > len(lines) || col < 1 || col > len(lines[n-1])+1 {
			continue
		}
		line := lines[n-1]
		if strings.ContainsFunc(line, func(r rune) bool { return r == utf8.RuneError || r < ' ' && r != '\t' && r != '\r' }) {
			continue // no text, and a terminal would take the bytes for orders
		}
		const width = 160
		start := 0
		if col > width {
			start = col - width/2
		}
		shown := line[start:min(len(line), start+width)]
		blank := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, shown[:min(len(shown), col-1-start)])
		b.WriteString("\n" + shown + "\n" + blank + "^")
	}
	return b.String()
}
