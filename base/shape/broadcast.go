package shape

// Broadcast returns the common shape of a and b: extents are aligned at the
// right, and an extent of 1 repeats. When the result equals a or b, that slice
// itself is returned, so the common case does not allocate. Other extents that differ are an [*Error] with both shapes.
func Broadcast(a, b []int) ([]int, error) {
	if fits(a, b) {
		return a, nil
	}
	if fits(b, a) {
		return b, nil
	}
	long, short := a, b
	if len(b) > len(a) {
		long, short = b, a
	}
	out := make([]int, len(long))
	copy(out, long)
	shift := len(long) - len(short)
	for i, n := range short {
		switch m := out[shift+i]; {
		case m == n || n == 1:
		case m == 1:
			out[shift+i] = n
		default:
			return nil, Errorf([][]int{a, b}, "shapes do not broadcast")
		}
	}
	return out, nil
}

// fits reports whether b broadcasts to exactly a.
func fits(a, b []int) bool {
	if len(b) > len(a) {
		return false
	}
	shift := len(a) - len(b)
	for i, n := range b {
		if n != a[shift+i] && n != 1 {
			return false
		}
	}
	return true
}

// BroadcastTo returns an error unless from broadcasts to exactly to.
func BroadcastTo(from, to []int) error {
	if !fits(to, from) {
		return Errorf([][]int{from, to}, "shape does not expand to the other")
	}
	return nil
}

// Dim normalizes a dimension number: -1 is the last of rank dimensions. A
// scalar accepts 0 and -1, as in PyTorch. Another number is a [*DimError].
func Dim(d, rank int) (int, error) {
	n := max(rank, 1)
	if d < -n || d >= n {
		return 0, &DimError{Dim: d, Rank: rank}
	}
	if d < 0 {
		d += n
	}
	return d, nil
}

// Dims normalizes a list of dimensions and refuses repeats. An empty list
// stands for all dimensions.
func Dims(ds []int, rank int) ([]int, error) {
	out := make([]int, 0, max(len(ds), rank))
	if len(ds) == 0 {
		for d := range rank {
			out = append(out, d)
		}
		return out, nil
	}
	var seen uint64
	for _, d := range ds {
		n, err := Dim(d, rank)
		if err != nil {
			return nil, err
		}
		if seen&(1<<n) != 0 {
			return nil, &DimError{Dim: d, Rank: rank, Repeated: true}
		}
		seen |= 1 << n
		out = append(out, n)
	}
	return out, nil
}
