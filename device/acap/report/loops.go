package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// loopLines says which kernels run several times, and for which kernels data decides how often.
func (r *Report) loopLines() string {
	kernels, open := make(map[int]int), 0
	for i := range r.Kernels {
		switch k := &r.Kernels[i]; {
		case k.Problem != "" || k.Once:
		case k.Open:
			open++
		case k.Turns.All() != 1:
			kernels[k.Turns.All()]++
		}
	}
	var b strings.Builder
	for _, turns := range slices.Sorted(maps.Keys(kernels)) {
		fmt.Fprintf(&b, "loops: %s in loops, each launched %d times; the total has all of them, the table what they add together\n",
			count(kernels[turns], "kernel"), turns)
	}
	if open > 0 {
		fmt.Fprintf(&b, "loops: data decides how often %s in loops or choices run; the total has one turn of each\n", count(open, "kernel"))
	}
	return b.String()
}
