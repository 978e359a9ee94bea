package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sumsOfLayers are products. Each product is also squared and summed. The sums may wait to the end, as the gradients
// of weights do in a program. It gives the sums, last layer first.
func sumsOfLayers(n *net, x val, depth, width int) []val {
	var sums []val
	var between []val
	for range depth {
		x = n.bmm(x, n.weight(1, width, width))
		between = append(between, x)
	}
	for i := len(between) - 1; i >= 0; i-- {
		y := between[i]
		sums = append(sums, n.sum(n.mul(y, y), 2))
	}
	return sums
}

// What reads a value last and leaves little runs next to what made it: the memory of a run does not grow
// with the number of values that wait for such readers.
func TestOrderEndsValues(t *testing.T) {
	const width = 64
	arena := func(depth int) int {
		n := newNet()
		p, err := Compile(n.done(sumsOfLayers(n, n.input(1, width, width), depth, width)...), Options{})
		require.NoError(t, err)
		t.Cleanup(p.Close)
		return p.ArenaBytes
	}
	few := arena(3)
	require.Positive(t, few)
	require.Equal(t, few, arena(9))
}

// A kernel whose results are larger than the operands that it reads last waits for its turn in the program, even if its
// operands are there.
func TestOrderKeepsPlaces(t *testing.T) {
	const width, wide = 64, 512
	n := newNet()
	first := n.bmm(n.input(1, width, width), n.weight(1, width, width))
	x := first
	for range 3 {
		x = n.bmm(x, n.weight(1, width, width))
	}
	large := n.bmm(first, n.weight(1, width, wide))
	p, err := Compile(n.done(n.add(n.bmm(large, n.weight(1, wide, width)), x)), Options{})
	require.NoError(t, err)
	t.Cleanup(p.Close)
	var macs []int64
	for _, k := range p.Kernels() {
		macs = append(macs, k.MACs/(width*width*width))
	}
	require.Equal(t, []int64{1, 1, 1, 1, wide / width, wide / width}, macs)
}
