package onnx

import (
	"math"

	"github.com/go-acap/acap/tensor/dtype"
)

func init() { register("RoiAlign", roiAlign) }

// roiAlign averages, or takes the maximum of, interpolated values in the cells of regions. Where they
// lie must be known. The number of values in a cell is sampling_ratio² or, without one, follows from
// the size of the region.
func roiAlign(n *node) {
	x, rois, batches := n.tensor(0), n.known(1), n.integers(2)
	if rank(x) != 4 || len(rois.Shape) != 2 || rois.Shape[1] != 4 || len(batches) != rois.Shape[0] {
		failf("regions %v in %v with %d batch indices", rois.Shape, extents(x), len(batches))
	}
	rows, columns := n.int("output_height", 1), n.int("output_width", 1)
	ratio, scale := n.int("sampling_ratio", 0), n.float("spatial_scale", 1)
	mode, offset := n.text("mode", "avg"), 0.0
	or := "half_pixel"
	if n.version < 16 {
		or = "output_half_pixel"
	}
	switch transform := n.text("coordinate_transformation_mode", or); transform {
	case "half_pixel":
		offset = 0.5
	case "output_half_pixel":
	default:
		failf("coordinate_transformation_mode %q is not supported", transform)
	}
	if rows < 1 || columns < 1 || ratio < 0 || mode != "avg" && mode != "max" {
		failf("%d × %d cells, sampling_ratio %d, mode %q", rows, columns, ratio, mode)
	}
	regions, height, width := len(batches), extents(x)[2], extents(x)[3]
	for _, b := range batches {
		if b < 0 || b >= extents(x)[0] {
			failf("batch index %d of %d", b, extents(x)[0])
		}
	}
	type sampled struct{ top, left, cellHeight, cellWidth, down, across float64 }
	list, most := make([]sampled, regions), 1
	for r := range list {
		at := func(k int) float64 { return rois.Float64(r*4+k)*scale - offset }
		h, w := at(3)-at(1), at(2)-at(0)
		if offset == 0 { // old models force a region to have a size
			h, w = max(h, 1), max(w, 1)
		}
		s := sampled{top: at(1), left: at(0), cellHeight: h / float64(rows), cellWidth: w / float64(columns),
			down: float64(ratio), across: float64(ratio)}
		if ratio == 0 {
			s.down, s.across = max(1, math.Ceil(s.cellHeight)), max(1, math.Ceil(s.cellWidth))
		}
		if !(s.down*s.across <= maxWork) || math.IsNaN(s.top+s.left) || math.IsInf(s.top+s.left, 0) {
			failf("a region from %v, %v of %v × %v", s.left, s.top, w, h)
		}
		list[r], most = s, max(most, int(s.down*s.across))
	}
	dims := []int{regions, 1, rows, columns, most * 4}
	index, weights := n.buffer(dtype.I64, dims), n.buffer(elem(x), dims)
	to := 0
	for _, s := range list {
		count := int(s.down * s.across)
		for cell := range rows * columns {
			for k := range most {
				k = min(k, count-1) // what is repeated has no weight, or does not change a maximum
				y := s.top + s.cellHeight*(float64(cell/columns)+(float64(k/int(s.across))+0.5)/s.down)
				z := s.left + s.cellWidth*(float64(cell%columns)+(float64(k%int(s.across))+0.5)/s.across)
				for t, tap := range corners(y, z, height, width) {
					index.SetInt64(to+t, int64(tap.at))
					switch {
					case mode == "max":
						weights.SetFloat64(to+t, tap.weight)
					case to/4%most < count:
						weights.SetFloat64(to+t, tap.weight/float64(count))
					}
				}
				to += 4
			}
		}
	}
	channels := extents(x)[1]
	images := n.Call("index_select", x, 0, n.constant(vector(batches)))
	flat := n.Reshape(images, []int{regions, channels, height * width})
	places := n.Expand(n.Reshape(n.constant(index), []int{regions, 1, rows * columns * most * 4}),
		[]int{regions, channels, rows * columns * most * 4})
	taken := n.Reshape(n.Call("gather", flat, 2, places), []int{regions, channels, rows, columns, most * 4})
	taken = n.Mul(taken, n.constant(weights))
	if mode == "max" {
		n.set(n.Call("amax", taken, []int{4}, false))
		return
	}
	n.set(n.Sum(taken, []int{4}, false))
}

// tap is an element of an image and its weight.
type tap struct {
	at     int
	weight float64
}

// corners returns the four elements around a place and their weights in bilinear interpolation. A place
// more than one element outside has none.
func corners(y, x float64, height, width int) [4]tap {
	if y < -1 || y > float64(height) || x < -1 || x > float64(width) || height == 0 || width == 0 {
		return [4]tap{}
	}
	y, x = min(max(y, 0), float64(height-1)), min(max(x, 0), float64(width-1))
	top, left := int(y), int(x)
	bottom, right := min(top+1, height-1), min(left+1, width-1)
	v, h := y-float64(top), x-float64(left)
	return [4]tap{{top*width + left, (1 - v) * (1 - h)}, {top*width + right, (1 - v) * h},
		{bottom*width + left, v * (1 - h)}, {bottom*width + right, v * h}}
}
