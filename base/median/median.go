package median

import "slices"

// Of is the median of a list with at least one number: of an even count the mean of the two in the middle, which an
// integer type rounds towards zero. The list stays as it is.
func Of[T ~int64 | ~float64](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
