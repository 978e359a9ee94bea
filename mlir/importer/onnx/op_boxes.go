package onnx

import (
	"math"

	"github.com/go-acap/acap/mlir/importer"
	"github.com/go-acap/acap/tensor/buf"
)

func init() {
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
		return importer.Box{Top: v[1] - v[3]/2, Left: v[0] - v[2]/2, Bottom: v[1] + v[3]/2, Right: v[0] + v[2]/2}
	}
	return importer.Box{Top: math.Min(v[0], v[2]), Left: math.Min(v[1], v[3]), Bottom: math.Max(v[0], v[2]), Right: math.Max(v[1], v[3])}
}
