package shape

import "slices"

// Points calls f for all points of a space of the given extents, the last index fastest, until f
// fails. The slice is the same in all calls; a space with an extent of 0 has no points, and
// one without dimensions has one.
func Points(extents []int, f func(point []int) error) error {
	if slices.Contains(extents, 0) {
		return nil
	}
	point := make([]int, len(extents))
	for {
		if err := f(point); err != nil {
			return err
		}
		d := len(extents) - 1
		for ; d >= 0; d-- {
			if point[d]++; point[d] < extents[d] {
				break
			}
			point[d] = 0
		}
		if d < 0 {
			return nil
		}
	}
}
