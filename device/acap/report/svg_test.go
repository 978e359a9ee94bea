package report_test

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/go-acap/acap/device/acap/report"
)

var (
	svgWidth = regexp.MustCompile(`<svg [^>]*width="(\d+)"`)
	svgText  = regexp.MustCompile(`<text x="(\d+)"[^>]*>([^<]*)</text>`)
)

// TestSVGWidth draws arrays of one column and of fifty: no line of text runs out of the picture.
func TestSVGWidth(t *testing.T) {
	for _, cols := range []int{1, 2, 4} {
		r := get(t, "npu1")
		m := *r.Machine
		m.Grid.Resize(cols)
		wide := &report.Report{Machine: &m, Name: "npu1 with a rather long name of its own"}
		var b bytes.Buffer
		if err := wide.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		width, _ := strconv.Atoi(svgWidth.FindStringSubmatch(b.String())[1])
		for _, g := range svgText.FindAllStringSubmatch(b.String(), -1) {
			x, _ := strconv.Atoi(g[1])
			// Half an em a character is what fonts without serifs take on average.
			if end := x + 7*utf8.RuneCountInString(g[2]); end > width {
				t.Errorf("%d columns: %q ends at %d of %d", cols, g[2], end, width)
			}
		}
	}
}
