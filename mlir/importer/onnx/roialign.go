package onnx

import "github.com/go-acap/acap/mlir/importer"

func init() { register("RoiAlign", roiAlign) }

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
