package portable

import "math"

// Kernels in a fixed order give the same bits whatever else a program computes beside them, and the same bits as
// generated code in that order:
//
//   - A product adds its terms one by one, in the order of the depth, each with one rounding. The depth of a
//     convolution goes by channels, filter rows, filter columns.
//   - A sum in a nest has [Lanes] lanes along the last inner loop with more than one point. Element i goes to lane
//     i mod Lanes; lanes are combined in pairs, as if all of them had elements.

// multiply adds a product to a tile.
func (t *tiled[T]) multiply(w *tile[T], e extents) {
	if t.narrow {
		w.multiplyPairs(e)
		return
	} else if !t.fixed {
		w.multiply(e)
		return
	}
	for i := range e.m {
		for j := range e.n {
			sum := w.c[i*tileCols+j]
			for x := range e.k {
				sum = multiplyAdd(w.getA(i, x), w.getB(j, x), sum)
			}
			w.c[i*tileCols+j] = sum
		}
	}
}

// multiplyAdd returns a·b + c with one rounding.
func multiplyAdd[T accumulator](a, b, c T) T {
	switch c := any(c).(type) {
	case float32:
		return T(fma32(float32(a), float32(b), c))
	case float64:
		return T(math.FMA(float64(a), float64(b), c))
	}
	return a*b + c
}

// fixLane has the lanes along an inner loop, whatever lies side by side.
func (c *nestCode) fixLane() {
	c.lane = len(c.nest.Outer) + len(c.nest.Inner) - 1
	for l := c.lane; l >= len(c.nest.Outer); l-- {
		if c.nest.Extent(l) > 1 {
			c.lane = l
			break
		}
	}
	c.laneOuter = c.lane < len(c.nest.Outer)
}
