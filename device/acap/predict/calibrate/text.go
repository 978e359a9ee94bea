package calibrate

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mostSkipped is how many rows without a prediction are printed.
const mostSkipped = 5

// Write prints the constants before and after, and the errors of each source. An error is one of w.
func (r *Result) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d rows\n\n", r.Machine.Name, r.All.Rows)
	r.writeConstants(&b)
	r.writeErrors(&b)
	for _, s := range r.Doubts {
		fmt.Fprintln(&b, "note:", s)
	}
	for i, s := range r.Skipped {
		if i == mostSkipped {
			fmt.Fprintf(&b, "and %d more rows without prediction\n", len(r.Skipped)-i)
			break
		}
		fmt.Fprintln(&b, "without prediction:", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeConstants prints a line for each constant that rows determine, and counts the others by what keeps them.
func (r *Result) writeConstants(b *strings.Builder) {
	fmt.Fprintf(b, "%-44s %12s %12s %8s %27s %6s  %s\n", "constant", "before", "after", "moved", "bounds", "rows", "fixed by lines")
	loose := make(map[string]int)
	for _, c := range r.Constants {
		if c.Loose != "" {
			loose[c.Loose]++
			continue
		}
		at := ""
		switch {
		case c.After >= 0.999*c.High:
			at = "  at its upper bound"
		case c.After <= 1.001*c.Low:
			at = "  at its lower bound"
		}
		lines := make([]string, len(c.Lines))
		for i, l := range c.Lines {
			lines[i] = strconv.Itoa(l)
		}
		fmt.Fprintf(b, "%-44s %12.5g %12.5g %+7.1f%% %13.5g %13.5g %6d  %s%s\n", c.Name(), c.Before, c.After, 100*(c.After/c.Before-1),
			c.Low, c.High, c.Rows, strings.Join(lines, ", "), at)
	}
	for _, why := range slices.Sorted(maps.Keys(loose)) {
		fmt.Fprintf(b, "%d more constants keep their values: %s\n", loose[why], why)
	}
}

// mostSourceRunes bounds the name of a source that is printed: the end tells files apart.
const mostSourceRunes = 48

// writeErrors prints a line for each source, and one for all.
func (r *Result) writeErrors(b *strings.Builder) {
	fmt.Fprintf(b, "\n%-50s %5s %24s %24s %24s\n", "absolute error: median, mean, worst", "rows", "before", "after", "with this source left out")
	for _, s := range append(slices.Clone(r.Sources), r.All) {
		name := []rune(cmp.Or(s.Name, "(no source)"))
		if len(name) > mostSourceRunes {
			name = append([]rune("…"), name[len(name)-mostSourceRunes+1:]...)
		}
		text := fmt.Sprintf("%-50s %5d %24s %24s %24s", string(name), s.Rows, &s.Before, &s.After, s.LeftOut)
		fmt.Fprintln(b, strings.TrimRight(text, " "))
	}
}

// String prints the errors as shares of a hundred; the errors of no rows are empty.
func (e *Errors) String() string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%6.2f%% %7.2f%% %7.2f%%", 100*e.Median, 100*e.Mean, 100*e.Worst)
}
