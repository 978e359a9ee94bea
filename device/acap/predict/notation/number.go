package notation

import (
	"cmp"
	"errors"
	"strconv"
)

// MaxExtent bounds the numbers that [Numbers] reads.
const MaxExtent = 1 << 31

// Numbers returns the groups of the first match of a pattern as integers from 1 to [MaxExtent]; nil where nothing
// matches or a group is no such integer.
func Numbers(p *Pattern, s string) []int {
	g := p.FindStringSubmatch(s)
	if g == nil {
		return nil
	}
	v := make([]int, len(g)-1)
	for i := range v {
		n, err := strconv.Atoi(g[i+1])
		if err != nil || n < 1 || n > MaxExtent {
			return nil
		}
		v[i] = n
	}
	return v
}

// errValue says what Value reads.
var errValue = errors.New("a positive number or a range of them")

// ranges matches a number, and the end of a range such as 2.36–2.61.
var ranges = Match(`^ *~? *([\d.]+(?:[eE][-+]?\d+)?)(?: *[-–—~] *([\d.]+(?:[eE][-+]?\d+)?))? *$`)

// Value reads a positive number, or a range such as 2.36–2.61 and returns its middle. The error says what is wanted.
func Value(s string) (float64, error) {
	g := ranges.FindStringSubmatch(s)
	if g == nil {
		return 0, errValue
	}
	a, err := strconv.ParseFloat(g[1], 64)
	b, errLast := strconv.ParseFloat(cmp.Or(g[2], g[1]), 64)
	if err != nil || errLast != nil || !(min(a, b) > 0 && max(a, b) < 1e18) {
		return 0, errValue
	}
	return (a + b) / 2, nil
}
