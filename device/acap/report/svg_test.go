package report_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

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
			// Fonts without serifs take half an em a character on average.
			if end := x + 7*utf8.RuneCountInString(g[2]); end > width {
				t.Errorf("%d columns: %q ends at %d of %d", cols, g[2], end, width)
			}
		}
	}
}

var circle = regexp.MustCompile(`<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*><title>([^<]*)</title>`)

// TestRoofline draws a circle for every kernel, inside the picture and below its roof.
func TestRoofline(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		r := get(t, name)
		var b bytes.Buffer
		if err := r.WriteRoofline(&b); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Fatal(err)
		}
		width, _ := strconv.ParseFloat(svgWidth.FindStringSubmatch(b.String())[1], 64)
		circles := circle.FindAllStringSubmatch(b.String(), -1)
		if len(circles) != r.Total().Kernels || !strings.Contains(b.String(), "<path") {
			t.Errorf("%s: %d circles for %d kernels", name, len(circles), len(r.Kernels))
		}
		lines := regexp.MustCompile(`<path d="M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)"`).FindAllStringSubmatch(b.String(), -1)
		roofs := 0
		for _, p := range lines {
			from, _ := strconv.ParseFloat(p[1], 64)
			to, _ := strconv.ParseFloat(p[3], 64)
			if p[2] != p[4] {
				continue // a slope
			}
			if roofs++; from >= to {
				t.Errorf("%s: the picture ends before a roof is flat", name)
			}
		}
		if roofs == 0 {
			t.Errorf("%s: no roof", name)
		}
		for _, c := range circles {
			if x, _ := strconv.ParseFloat(c[1], 64); x <= 0 || x >= width {
				t.Errorf("%s: %s", name, c[0])
			}
			if share := regexp.MustCompile(`([\d.]+)% of its roof`).FindStringSubmatch(c[3]); share != nil {
				if v, _ := strconv.ParseFloat(share[1], 64); v > 100 {
					t.Errorf("%s: %s is above its roof", name, c[3])
				}
			}
		}
	}
	var b bytes.Buffer
	if err := (&report.Report{Machine: get(t, "npu1").Machine}).WriteRoofline(&b); err != nil {
		t.Fatal(err)
	}
}

var (
	rooflineLabel = regexp.MustCompile(`text-anchor="middle" fill="#666">([\d.e+-]+)</text>`)
	rooflineName  = regexp.MustCompile(`<text x="([\d.]+)" y="([\d.]+)" font-size="10" fill="#bd0026">([^<]*)</text>`)
)

// TestRooflineAxis: the horizontal axis ends at the first power of ten behind all kernels and the doubles of the
// corners of all roofs.
func TestRooflineAxis(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		r, end, worst := get(t, name), 10.0, math.Inf(1)
		for _, p := range r.Roofline() {
			worst = min(worst, p.Memory)
		}
		for _, p := range r.Roofline() {
			for most := max(p.Intensity, 2*p.Peak/worst); end < most; {
				end *= 10
			}
		}
		var b bytes.Buffer
		require.NoError(t, r.WriteRoofline(&b))
		labels := rooflineLabel.FindAllStringSubmatch(b.String(), -1)
		last, err := strconv.ParseFloat(labels[len(labels)-1][1], 64)
		require.NoError(t, err)
		require.InEpsilon(t, end, last, 1e-6, name)
	}
}

// TestRooflineNames: the kernel that takes most of the time has its name, and no name lies on another one.
func TestRooflineNames(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vck190", "vek280"} {
		r := get(t, name)
		most := slices.MaxFunc(r.Roofline(), func(a, b report.RoofPoint) int { return cmp.Compare(a.Share, b.Share) })
		var b bytes.Buffer
		require.NoError(t, r.WriteRoofline(&b))
		names := rooflineName.FindAllStringSubmatch(b.String(), -1)
		require.NotEmpty(t, names)
		require.Equal(t, r.Kernels[most.Kernel].Name, names[0][3], name)
		place := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
		for i, g := range names {
			for _, other := range names[:i] {
				require.False(t, math.Abs(place(g[1])-place(other[1])) < 40 && math.Abs(place(g[2])-place(other[2])) < 10, "%s: %s lies on %s", name, g[3], other[3])
			}
		}
	}
}
