package sort

import "math/bits"

// network is the comparisons that sort n elements: the first of a pair gets the smaller of both.
func network(n int) (pairs [][2]int) {
	top := 1 << (bits.Len(uint(n-1)) - 1)
	for p := top; p > 0; p /= 2 {
		for q, r, d := top, 0, p; ; {
			for i := range n - d {
				if i&p == r {
					pairs = append(pairs, [2]int{i, i + d})
				}
			}
			if q == p {
				break
			}
			d, q, r = q-p, q/2, p
		}
	}
	return pairs
}
