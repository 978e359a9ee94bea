package torchscript

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// pairsPerStep are pairs of boxes that take about as long as a statement.
const pairsPerStep = 256

// vision are the operators of torchvision's library that models of detection call. Where boxes lie must be known.
func vision() map[string]substitute {
	return map[string]substitute{"torchvision::nms": suppressed, "torchvision::roi_align": aligned}
}

// suppressed is nms(boxes, scores, threshold): the numbers of the boxes of best score that overlap no better one, best
// first.
func suppressed(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 3 {
		return nil, false
	}
	boxes := ev.read(at, ev.tensorAt(at, args, 0), "nms of boxes")
	scores := ev.read(at, ev.tensorAt(at, args, 1), "nms of scores")
	if len(boxes.Shape) != 2 || boxes.Shape[1] != 4 || len(scores.Shape) != 1 || scores.Len() != boxes.Shape[0] {
		failAt(at, "boxes %v with scores %v", boxes.Shape, scores.Shape)
	}
	all := make([]int, scores.Len())
	for i := range all {
		all[i] = i
	}
	ev.checkLength(at, len(all))
	box := func(i int) importer.Box {
		return importer.Box{Left: boxes.Float64(4 * i), Top: boxes.Float64(4*i + 1), Right: boxes.Float64(4*i + 2),
			Bottom: boxes.Float64(4*i + 3)}
	}
	picked := importer.Suppress(all, box, scores.Float64, ev.floatAt(at, args, 2, "iou_threshold"), math.MaxInt,
		func(n int) { ev.charge(at, 1+n/pairsPerStep) })
	out := buf.New(dtype.I64, []int{len(picked)})
	for i, p := range picked {
		out.SetInt64(i, int64(p))
	}
	return &tensor{parameter: &Parameter{Data: out}}, true
}

// aligned is roi_align(x, regions, scale, height, width, sampling_ratio, aligned): regions are [number of an image,
// left, top, right, bottom].
func aligned(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 7 {
		return nil, false
	}
	rois := ev.read(at, ev.tensorAt(at, args, 1), "regions of roi_align")
	if len(rois.Shape) != 2 || rois.Shape[1] != 5 {
		failAt(at, "regions %v of roi_align", rois.Shape)
	}
	count := rois.Shape[0]
	ev.checkLength(at, count)
	regions, images := buf.New(dtype.F64, []int{count, 4}), make([]int, count)
	for r := range images {
		images[r] = int(rois.Float64(5 * r))
		for k := range 4 {
			regions.SetFloat64(4*r+k, rois.Float64(5*r+1+k))
		}
	}
	o := importer.Regions{Rows: ev.intAt(at, args, 3, ""), Columns: ev.intAt(at, args, 4, ""), Ratio: ev.intAt(at, args, 5, ""),
		Scale: ev.floatAt(at, args, 2, ""), Aligned: args.at(6) == value(true),
		Buffer: func(d dtype.DType, dims []int) *buf.Buffer {
			if err := shape.Check(dims); err != nil {
				ev.fail(at, err)
			}
			ev.charge(at, shape.Size(dims)/itemsPerStep)
			return buf.New(d, dims)
		}}
	x := ev.current(at, ev.tensorAt(at, args, 0))
	var y ops.Value
	ev.builder.SetLocation(ev.location(at))
	ev.try(at, func() (err error) {
		y, err = o.Align(ev.builder, x, regions, images)
		return err
	})
	return ev.newTensor(y), true
}
