package shape

import "fmt"

// DimError reports a dimension number outside a tensor's rank, or one named twice.
type DimError struct {
	Dim, Rank int
	Repeated  bool
}

func (e *DimError) Error() string {
	if e.Repeated {
		return fmt.Sprintf("dimension %d is named twice", e.Dim)
	}
	n := max(e.Rank, 1)
	return fmt.Sprintf("dimension %d is out of range, expected %d to %d", e.Dim, -n, n-1)
}

// Reduce returns s without the dimensions dims (normalized), or with extent 1
// in their place if keep is set.
func Reduce(s, dims []int, keep bool) []int {
	out := make([]int, 0, len(s))
	for i, n := range s {
		reduced := false
		for _, d := range dims {
			reduced = reduced || d == i
		}
		switch {
		case !reduced:
			out = append(out, n)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}

// Infer replaces the one extent of -1 in to by the extent that gives to as many elements as from. A second negative
// extent is an [*Error], and so is a shape of another number of elements.
func Infer(from, to []int) ([]int, error) {
	size, known, hole := Size(from), 1, -1
	for i, n := range to {
		switch {
		case n == -1 && hole < 0:
			hole = i
		case n < 0:
			return nil, Errorf([][]int{from, to}, "only one extent may be -1")
		default:
			known *= n
		}
	}
	out := append([]int(nil), to...)
	if hole >= 0 {
		if known == 0 || size%known != 0 {
			return nil, Errorf([][]int{from, to}, "shape does not divide the size of the input")
		}
		out[hole] = size / known
		known *= out[hole]
	}
	if known != size {
		return nil, Errorf([][]int{from, to}, "shape is invalid for the size of the input")
	}
	return out, nil
}
