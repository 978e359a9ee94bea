package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/predict"
)

// doubts says what makes a calibration less than it seems: rows that are there twice, fewer rows than constants, rows
// that nothing explains.
func (f *fit) doubts(x []float64) []string {
	var out []string
	out = append(out, repeated(f.rows)...)
	if n := f.free(); len(f.rows) < n {
		out = append(out, fmt.Sprintf("%s cannot fix %d constants: other values explain them as well; name fewer constants, or measure more",
			counted(len(f.rows), "row"), n))
	}
	residuals := f.residuals(x, f.rows)
	sorted := slices.Sorted(slices.Values(residuals))
	if middle := sorted[len(sorted)/2]; math.Abs(middle) > math.Log(2) {
		return append(out, fmt.Sprintf("even so half of the rows are %s: their unit, the clock (-mode) or the way of dispatch (-dispatch) may be another",
			slower(middle)))
	}
	order := make([]int, 0, len(residuals))
	for i, r := range residuals {
		if math.Abs(r) > math.Log(2) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(residuals[b]), math.Abs(residuals[a])) })
	for n, i := range order {
		if n == 5 {
			out = append(out, fmt.Sprintf("and %d more rows that are off by more than 2 times", len(order)-n))
			break
		}
		out = append(out, fmt.Sprintf("line %d is %s, and told next to nothing", f.rows[i].Row.Line, slower(residuals[i])))
	}
	return out
}

// slower says a logarithm of measured over predicted times in words.
func slower(r float64) string {
	if r < 0 {
		return fmt.Sprintf("%.3g times as fast as predicted", math.Exp(-r))
	}
	return fmt.Sprintf("%.3g times as slow as predicted", math.Exp(r))
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// repeated tells of rows that are the same as another but for their line.
func repeated(rows []*predict.Prepared) []string {
	first := make(map[predict.Row]int)
	var lines []string
	for _, p := range rows {
		r := p.Row
		r.Line = 0
		if line, twice := first[r]; twice {
			lines = append(lines, fmt.Sprintf("%d = %d", p.Row.Line, line))
			continue
		}
		first[r] = p.Row.Line
	}
	if len(lines) == 0 {
		return nil
	}
	n := len(lines)
	if n > 5 {
		lines = append(lines[:5], "…")
	}
	return []string{fmt.Sprintf("%s the same as others, and %s again: lines %s", strings.Replace(counted(n, "row")+" are", "row are", "row is", 1),
		map[bool]string{true: "counts", false: "count"}[n == 1], strings.Join(lines, ", "))}
}
