package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

func init() {
	register("MaxRoiPool", maxRoiPool)
	register("RoiAlign", roiAlign)
	register("NonMaxSuppression", suppress)
}

// roiAlign averages, or takes the maximum of, interpolated values in the cells of regions. Where they
// lie must be known. The number of values in a cell is sampling_ratio² or, without one, follows from
// the size of the region.
func roiAlign(n *node) {
	x, rois, batches := n.tensor(0), n.known(1), n.integers(2)
	o := importer.Regions{Rows: n.int("output_height", 1), Columns: n.int("output_width", 1), Ratio: n.int("sampling_ratio", 0),
		Scale: n.float("spatial_scale", 1), Buffer: n.buffer}
	mode, or := n.text("mode", "avg"), "half_pixel"
	if n.version < 16 {
		or = "output_half_pixel"
	}
	switch transform := n.text("coordinate_transformation_mode", or); transform {
	case "half_pixel":
		o.Aligned = true
	case "output_half_pixel":
	default:
		failf("coordinate_transformation_mode %q is not supported", transform)
	}
	if o.Ratio < 0 || mode != "avg" && mode != "max" {
		failf("sampling_ratio %d, mode %q", o.Ratio, mode)
	}
	o.Max = mode == "max"
	y, err := o.Align(n.ev.builder, x, rois, batches)
	if err != nil {
		failf("%w", err)
	}
	n.set(y)
}

// suppress picks the boxes of best score that overlap no better one. How many there are depends on
// boxes and scores, which must be known.
func suppress(n *node) {
	boxes, scores := n.known(0), n.known(1)
	if len(boxes.Shape) != 3 || boxes.Shape[2] != 4 || len(scores.Shape) != 3 ||
		scores.Shape[0] != boxes.Shape[0] || scores.Shape[2] != boxes.Shape[1] {
		failf("boxes %v with scores %v", boxes.Shape, scores.Shape)
	}
	most, threshold, least := 0, 0.0, math.Inf(-1)
	if n.has(2) {
		most = n.integer(2)
	}
	if n.has(3) {
		threshold = n.number(3)
	}
	if n.has(4) {
		least = n.number(4)
	}
	count, classes := boxes.Shape[1], scores.Shape[1]
	n.ev.work(boxes.Shape[0])
	var picked []int
	for batch := range boxes.Shape[0] {
		at := func(i int) importer.Box { return n.box(boxes, (batch*count+i)*4) }
		n.ev.work(classes)
		for class := range classes {
			score := func(i int) float64 { return scores.Float64((batch*classes+class)*count + i) }
			order := make([]int, 0, count)
			for i := range count {
				if score(i) > least {
					order = append(order, i)
				}
			}
			for _, i := range importer.Suppress(order, at, score, threshold, most, n.ev.work) {
				picked = append(picked, batch, class, i)
			}
		}
	}
	n.setKnown(0, vector(picked).Reshape([]int{len(picked) / 3, 3}))
}

// box reads four numbers: two corners in any order, or the middle and the size.
func (n *node) box(b *buf.Buffer, at int) importer.Box {
	v := [4]float64{b.Float64(at), b.Float64(at + 1), b.Float64(at + 2), b.Float64(at + 3)}
	if n.int("center_point_box", 0) == 1 {
		height, width := float64(v[3]/2), float64(v[2]/2)
		return importer.Box{Top: v[1] - height, Left: v[0] - width, Bottom: v[1] + height, Right: v[0] + width}
	}
	return importer.Box{Top: math.Min(v[0], v[2]), Left: math.Min(v[1], v[3]), Bottom: math.Max(v[0], v[2]), Right: math.Max(v[1], v[3])}
}

// maxRoiPool takes the maxima of the cells of regions, which are known: each row is the number of an image and the
// edges, both inside, on a map that is scaled. Cells overlap where edges are between elements; one outside of the map
// is 0.
func maxRoiPool(n *node) {
	x, rois, scale := n.tensor(0), n.known(1), n.float("spatial_scale", 1)
	shaped, _ := n.ints("pooled_shape")
	if rank(x) != 4 || len(rois.Shape) != 2 || rois.Shape[1] != 5 || len(shaped) != 2 || slices.Min(shaped) < 1 {
		failf("regions of %s in %s for cells %v", shape.String(rois.Shape), shape.String(extents(x)), shaped)
	}
	d := extents(x)
	out := []ops.Value{n.Full([]int{0, d[1], shaped[0], shaped[1]}, 0, elem(x))}
	for r := range rois.Shape[0] {
		at := func(i int) float64 { return rois.Float64(5*r + i) }
		image := int(at(0))
		if float64(image) != at(0) || image < 0 || image >= d[0] {
			failf("region %d is of image %v of %d", r, at(0), d[0])
		}
		cells := n.Call("select.int", x, 0, image)
		for i, e := range [2]int{2, 1} { // rows, then columns
			first, last := math.Round(float64(at(e)*scale)), math.Round(float64(at(e+2)*scale))
			if !(math.Abs(first) < math.MaxInt32) || !(math.Abs(last) < math.MaxInt32) {
				failf("region %d has edges %v and %v", r, at(e), at(e+2))
			}
			cells = n.maximaOfCells(cells, 1+i, shaped[i], int(first), max(int(last-first)+1, 1))
		}
		out = append(out, n.Call("unsqueeze", cells, 0))
	}
	n.set(n.Call("cat", out, 0))
}

// maximaOfCells divides length elements of dimension d, from first on, into count cells and takes the maximum of each.
func (n *node) maximaOfCells(x ops.Value, d, count, first, length int) ops.Value {
	extent := extents(x)[d]
	widest, empty := 1, false
	bounds := func(cell int) (from, to int) {
		width := float64(length) / float64(count)
		from = int(math.Floor(float64(float64(cell)*width))) + first
		to = int(math.Ceil(float64(float64(cell+1)*width))) + first
		return min(max(from, 0), extent), min(max(to, 0), extent)
	}
	for cell := range count {
		from, to := bounds(cell)
		widest, empty = max(widest, to-from), empty || to <= from
	}
	if extent == 0 {
		failf("takes maps with elements, not %s", shape.String(extents(x)))
	}
	index := n.numbers(dtype.I64, []int{count * widest}, func(i int) int {
		from, to := bounds(i / widest)
		return max(min(from+i%widest, to-1), 0) // the last once more where there are less
	})
	dims := slices.Insert(slices.Clone(extents(x)), d+1, widest)
	dims[d] = count
	y := n.Call("amax", n.Reshape(n.Call("index_select", x, d, n.constant(index)), dims), []int{d + 1}, false)
	if !empty {
		return y
	}
	mask := make([]int, rank(y))
	for i := range mask {
		mask[i] = 1
	}
	mask[d] = count
	hidden := n.numbers(dtype.Bool, mask, func(cell int) int {
		if from, to := bounds(cell); to <= from {
			return 1
		}
		return 0
	})
	return n.Call("masked_fill.Scalar", y, n.constant(hidden), 0)
}
