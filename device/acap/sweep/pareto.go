package sweep

import (
	"cmp"
	"slices"
)

// MarkPareto marks the points that no other beats in both cost and time.
func MarkPareto(points []*Point, cost func(*Point) float64) {
	for _, p := range Front(points, cost) {
		p.Pareto = true
	}
}

// Front returns the points that no other beats in both cost and time, the cheapest first. Points
// that are equal in both do not beat each other.
func Front(points []*Point, cost func(*Point) float64) []*Point {
	var sorted []*Point
	for _, p := range points {
		if p.Error == "" {
			sorted = append(sorted, p)
		}
	}
	slices.SortStableFunc(sorted, func(p, q *Point) int {
		return cmp.Or(cmp.Compare(cost(p), cost(q)), cmp.Compare(p.Seconds, q.Seconds))
	})
	var front []*Point
	for _, p := range sorted {
		if n := len(front); n == 0 || p.Seconds < front[n-1].Seconds ||
			p.Seconds == front[n-1].Seconds && cost(p) == cost(front[n-1]) {
			front = append(front, p)
		}
	}
	return front
}
