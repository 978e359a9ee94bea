package onnx

import (
	"slices"

	"github.com/go-acap/acap/ops"
)

func init() {
	register("AffineGrid", affineGrid)
	register("GridSample", gridSample)
}

// affineGrid gives the places from which GridSample takes an image that theta turns, stretches and
// shifts: theta times the coordinates of each element, which lie between -1 and 1, the last dimension
// first, and a 1.
func affineGrid(n *node) {
	theta, dims := n.tensor(0), n.integers(1)
	spatial := len(dims) - 2
	if spatial < 2 || spatial > 3 || !slices.Equal(extents(theta), []int{dims[0], spatial, spatial + 1}) ||
		slices.Min(dims) < 1 {
		failf("theta of %v for a tensor of %v", extents(theta), dims)
	}
	align := n.bool("align_corners", false)
	grid := slices.Concat(dims[2:], []int{1})
	columns := make([]ops.Value, spatial+1)
	for i := range spatial {
		d := spatial - 1 - i
		extent := float64(dims[2+d])
		line := n.buffer(elem(theta), slices.Concat(slices.Repeat([]int{1}, d), []int{dims[2+d]},
			slices.Repeat([]int{1}, spatial-d)))
		for k := range dims[2+d] {
			at := (2*float64(k)+1)/extent - 1
			if align {
				at = 2*float64(k)/max(extent-1, 1) - 1
			}
			line.SetFloat64(k, at)
		}
		columns[i] = n.Expand(n.constant(line), grid)
	}
	columns[spatial] = n.Full(grid, 1, elem(theta))
	points := n.view(n.Call("cat", columns, spatial), -1, spatial+1)
	y := n.Call("matmul", points, n.Call("transpose.int", theta, 1, 2))
	n.set(n.Reshape(y, slices.Concat(dims[:1], dims[2:], []int{spatial})))
}

// gridSample interpolates images at the places of a grid.
func gridSample(n *node) {
	const nearest, reflection = 1, 2
	mode := map[string]int{"linear": 0, "bilinear": 0, "nearest": nearest, "cubic": 2, "bicubic": 2}
	m, known := mode[n.text("mode", "bilinear")]
	padding := map[string]int{"zeros": 0, "border": 1, "reflection": reflection}
	p, knownPadding := padding[n.text("padding_mode", "zeros")]
	if !known || !knownPadding {
		failf("mode %q, padding_mode %q", n.text("mode", ""), n.text("padding_mode", ""))
	}
	x, grid, align := n.tensor(0), n.tensor(1), n.bool("align_corners", false)
	if m == nearest && p == reflection && !align {
		grid = n.nearestPlaces(x, grid)
	}
	n.set(n.Call("grid_sampler", x, grid, m, p, align))
}

// nearestPlaces moves the places of a grid to the middles of the nearest elements of x, or of places outside of x: ONNX
// reflects these, and ATen reflects places before it rounds them, which differs halfway between two elements.
func (n *node) nearestPlaces(x, grid ops.Value) ops.Value {
	dims := slices.Clone(extents(x)[2:])
	slices.Reverse(dims)
	line := n.buffer(elem(grid), []int{len(dims)})
	for i, extent := range dims {
		line.SetFloat64(i, float64(extent))
	}
	extent := n.constant(line)
	place := n.Call("round", n.Div(n.Sub(n.Mul(n.Add(grid, 1), extent), 1), 2))
	return n.Sub(n.Div(n.Add(n.Mul(place, 2), 1), extent), 1)
}
