package importer

import (
	"cmp"
	"slices"
)

// Box is a rectangle by its edges.
type Box struct{ Top, Left, Bottom, Right float64 }

func (b Box) area() float64 { return float64((b.Bottom - b.Top) * (b.Right - b.Left)) }

// overlap is the intersection of two boxes over their union.
func (b Box) overlap(c Box) float64 {
	height := min(b.Bottom, c.Bottom) - max(b.Top, c.Top)
	width := min(b.Right, c.Right) - max(b.Left, c.Left)
	if height <= 0 || width <= 0 {
		return 0
	}
	shared := float64(height * width)
	return shared / (b.area() + c.area() - shared)
}

// Suppress picks at most most of the given boxes, the best scores first and of equal scores the first boxes. It leaves
// out boxes that overlap a picked box by more than the threshold. It returns their numbers. Before each box work is
// told with how many it is compared.
func Suppress(candidates []int, box func(i int) Box, score func(i int) float64, threshold float64, most int, work func(n int)) []int {
	order := slices.Clone(candidates)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(score(j), score(i)) })
	var picked []int
	var kept []Box
	for _, i := range order {
		if len(kept) >= most {
			break
		}
		b := box(i)
		work(len(kept))
		if slices.ContainsFunc(kept, func(k Box) bool { return k.overlap(b) > threshold }) {
			continue
		}
		kept, picked = append(kept, b), append(picked, i)
	}
	return picked
}
