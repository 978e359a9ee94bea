package division

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Write prints the groups: a line each, and below a group on the device its text. most bounds the lines of a text and
// the operations of a line; 0 is no bound.
func Write(w io.Writer, groups []Group, most int) {
	for _, g := range groups {
		share := fmt.Sprintf("%.1f%% of the work", 100*g.Share)
		if !g.onDevice() {
			fmt.Fprintf(w, "on %s: %s, %s: %s\n", g.Device, strings.Join(first(g.Ops, most, "operations"), " "), share, g.Problem)
			continue
		}
		fmt.Fprintf(w, "%s = %s on %s: %d operations, %s", g.Title, g.Function, g.Device, len(g.Ops), share)
		if g.Predicted > 0 {
			fmt.Fprintf(w, ", predicted %v", time.Duration(g.Predicted*1e9).Round(10*time.Nanosecond))
		}
		if g.Measured > 0 {
			fmt.Fprintf(w, ", measured %v", g.Measured)
		}
		fmt.Fprintln(w)
		if g.Text == "" {
			continue
		}
		for _, line := range first(strings.Split(strings.TrimSpace(g.Text), "\n"), most, "lines") {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}

// first returns the first elements of a list, and says how many more there are.
func first(list []string, most int, what string) []string {
	if most == 0 || len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("… %d more %s", len(list)-most, what))
}
