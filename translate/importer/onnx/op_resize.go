package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Resize", resize)
	register("Upsample", func(n *node) { // until version 9
		x := n.tensor(0)
		var scales []float64
		if n.has(1) {
			scales = floats(n.known(1))
		} else {
			scales = n.floats("scales")
		}
		if len(scales) != rank(x) {
			failf("%d scales for %d dimensions", len(scales), rank(x))
		}
		s := sampling{mode: n.text("mode", "nearest"), coordinates: "asymmetric", nearest: "floor"}
		y := x
		if s.mode != "nearest" {
			y = n.weighable(x)
		}
		for d, scale := range scales {
			y = n.resample(y, d, resized(extents(x)[d], scale), scale, [2]float64{}, s)
		}
		n.set(n.weighed(y, elem(x)))
	})
}

// weighable is x in a type in which its elements can be weighed.
func (n *node) weighable(x ops.Value) ops.Value {
	if elem(x).IsFloat() {
		return n.wide(x)
	}
	return n.To(x, dtype.F32)
}

// weighed gives sums of weighed elements the type of the elements: integers without their fraction, as ONNX Runtime has
// them, and no larger than their type can be.
func (n *node) weighed(sum ops.Value, d dtype.DType) ops.Value {
	if d == elem(sum) {
		return sum
	}
	if low, high := boundsOf(d); !d.IsFloat() {
		sum = n.Call("clamp", sum, low, high)
	}
	return n.To(sum, d)
}

// sampling says how a dimension is interpolated.
type sampling struct {
	mode        string // nearest, linear or cubic
	coordinates string // of a result's element in the input
	nearest     string // rounding of the coordinate
	cubic       float64
	exclude     bool // weights outside do not count
	antialias   bool
	outside     float64 // the value of what lies outside, for tf_crop_and_resize
}

// resize interpolates dimension by dimension. Inputs are X, roi, scales and sizes since version 11,
// X and scales before.
func resize(n *node) {
	x := n.tensor(0)
	s := sampling{mode: n.text("mode", "nearest"), nearest: n.text("nearest_mode", "round_prefer_floor"),
		coordinates: n.text("coordinate_transformation_mode", "half_pixel"),
		cubic:       n.float("cubic_coeff_a", -0.75), exclude: n.bool("exclude_outside", false),
		antialias: n.bool("antialias", false), outside: n.float("extrapolation_value", 0)}
	scaleAt, sizeAt := 2, 3
	if n.version < 11 {
		scaleAt, sizeAt = 1, -1
		s.coordinates = "asymmetric"
	}
	dims := make([]int, rank(x))
	for i := range dims {
		dims[i] = i
	}
	if list, ok := n.ints("axes"); ok {
		dims = axes(list, rank(x))
	}
	scales, sizes := make([]float64, len(dims)), make([]int, len(dims))
	if sizeAt > 0 && n.has(sizeAt) && n.known(sizeAt).Len() > 0 {
		n.scalesOfSizes(x, dims, n.integers(sizeAt), scales, sizes)
	} else {
		list := floats(n.known(scaleAt))
		if len(list) != len(dims) {
			failf("%d scales for %d dimensions", len(list), len(dims))
		}
		copy(scales, list)
		for i, d := range dims {
			sizes[i] = resized(extents(x)[d], scales[i])
		}
	}
	var roi []float64
	if s.coordinates == "tf_crop_and_resize" {
		if roi = floats(n.known(1)); len(roi) != 2*len(dims) {
			failf("a region of %d numbers for %d dimensions", len(roi), len(dims))
		}
	}
	y := x
	if s.mode != "nearest" {
		y = n.weighable(x)
	}
	for i, d := range dims {
		var region [2]float64
		if roi != nil {
			region = [2]float64{roi[i], roi[len(dims)+i]}
		}
		if n.version < 11 { // as the operator's test of version 10 has elements of a smaller result
			s.nearest = "floor"
			if scales[i] < 1 {
				s.nearest = "ceil"
			}
		}
		y = n.resample(y, d, sizes[i], scales[i], region, s)
		if s.antialias && !elem(x).IsFloat() { // as ONNX Runtime keeps what is between dimensions
			y = n.Call("floor", n.Add(y, 0.5))
		}
	}
	n.set(n.weighed(y, elem(x)))
}

// resized is the extent times a scale, without its fraction. Scales are quotients of extents in float32, whose
// product with the extent is whole only in that type.
func resized(extent int, scale float64) int { return int(float32(extent) * float32(scale)) }

// scalesOfSizes fills in scales and sizes for the sizes that the model gives.
func (n *node) scalesOfSizes(x ops.Value, dims, want []int, scales []float64, sizes []int) {
	if len(want) != len(dims) {
		failf("%d sizes for %d dimensions", len(want), len(dims))
	}
	copy(sizes, want)
	for i, d := range dims {
		scales[i] = float64(want[i]) / float64(extents(x)[d])
	}
	policy := n.text("keep_aspect_ratio_policy", "stretch")
	if policy == "stretch" {
		return
	}
	scale := slices.Min(scales)
	if policy == "not_smaller" {
		scale = slices.Max(scales)
	}
	for i, d := range dims {
		scales[i] = scale
		sizes[i] = int(math.Floor(float64(scale*float64(extents(x)[d])) + 0.5))
	}
}

// resample interpolates dimension d to count elements: every result is a weighted sum of a few
// elements, whose places and weights are known.
func (n *node) resample(x ops.Value, d, count int, scale float64, region [2]float64, s sampling) ops.Value {
	extent := extents(x)[d]
	if count == extent && scale == 1 && s.coordinates != "tf_crop_and_resize" {
		return x
	}
	if count < 0 || !(scale > 0) || math.IsInf(scale, 1) || extent == 0 && count > 0 {
		failf("from %d to %d elements by a scale of %v", extent, count, scale)
	}
	if extent == 0 {
		return x
	}
	if count == 0 {
		return n.Call("slice.Tensor", x, d, 0, 0, 1)
	}
	n.ev.work(count)
	places, weights := make([][]int, count), make([][]float64, count)
	outside, taps := make([]bool, count), 0
	for i := range count {
		at := s.coordinate(float64(i), float64(extent), float64(count), scale, region)
		outside[i] = s.coordinates == "tf_crop_and_resize" && (at < 0 || at > float64(extent-1))
		if !(math.Abs(at) < 1<<31) {
			failf("element %d of the result lies at %v in the input", i, at)
		}
		places[i], weights[i] = s.taps(at, extent, scale)
		n.ev.work(len(places[i]))
		taps = max(taps, len(places[i]))
	}
	var sum ops.Value
	for t := range taps {
		index := n.numbers(dtype.I64, []int{count}, func(i int) int { return places[i][min(t, len(places[i])-1)] })
		part := n.Call("index_select", x, d, n.constant(index))
		if s.mode == "nearest" {
			sum = part
			continue
		}
		dims := slices.Repeat([]int{1}, rank(x)-d)
		dims[0] = count
		weight := n.buffer(elem(x), dims)
		for i := range count {
			if t < len(weights[i]) {
				weight.SetFloat64(i, weights[i][t])
			}
		}
		if part = n.Mul(part, n.constant(weight)); sum != nil {
			part = n.Add(sum, part)
		}
		sum = part
	}
	if slices.Contains(outside, true) {
		dims := slices.Repeat([]int{1}, rank(x)-d)
		dims[0] = count
		mask := n.numbers(dtype.Bool, dims, func(i int) int {
			if outside[i] {
				return 1
			}
			return 0
		})
		sum = n.Where(n.constant(mask), n.Number(s.outside, sum), sum)
	}
	return sum
}

// coordinate returns where element i of the result lies in the input.
func (s *sampling) coordinate(i, extent, count, scale float64, region [2]float64) float64 {
	switch s.coordinates {
	case "half_pixel":
		return (i+0.5)/scale - 0.5
	case "half_pixel_symmetric":
		adjust := count / (scale * extent)
		return float64(extent/2*(1-adjust)) + (i+0.5)/scale - 0.5
	case "pytorch_half_pixel":
		if count <= 1 {
			return 0
		}
		return (i+0.5)/scale - 0.5
	case "align_corners":
		if count <= 1 {
			return 0
		}
		return i * (extent - 1) / (float64(scale*extent) - 1) // scale·extent, not rounded to count
	case "asymmetric":
		return i / scale
	case "tf_half_pixel_for_nn":
		return (i + 0.5) / scale
	case "tf_crop_and_resize":
		if count <= 1 {
			return 0.5 * (region[0] + region[1]) * (extent - 1)
		}
		return float64(region[0]*(extent-1)) + i*(region[1]-region[0])*(extent-1)/(count-1)
	}
	failf("coordinate_transformation_mode %q is not supported", s.coordinates)
	return 0
}

// taps returns the elements of the input around a coordinate and their weights.
func (s *sampling) taps(at float64, extent int, scale float64) (places []int, weights []float64) {
	inside := func(i int) int { return min(max(i, 0), extent-1) }
	if s.mode == "nearest" {
		return []int{inside(s.round(at))}, []float64{1}
	}
	kernel, reach := triangle, 1.0
	if s.mode == "cubic" {
		kernel, reach = s.cubicKernel, 2
	} else if s.mode != "linear" && s.mode != "bilinear" {
		failf("mode %q is not supported", s.mode)
	}
	narrow := 1.0
	if s.antialias && scale < 1 {
		narrow = scale
	}
	sum := 0.0
	for i := int(math.Floor(at-reach/narrow)) + 1; float64(i) < at+reach/narrow || len(places) == 0; i++ {
		w := kernel((float64(i) - at) * narrow)
		if s.exclude && (i < 0 || i >= extent) {
			w = 0
		}
		places, weights = append(places, inside(i)), append(weights, w)
		sum += w
	}
	if s.exclude || s.antialias {
		for i := range weights {
			weights[i] /= sum
		}
	}
	return places, weights
}

func (s *sampling) round(at float64) int {
	switch s.nearest {
	case "floor":
		return int(math.Floor(at))
	case "ceil":
		return int(math.Ceil(at))
	case "round_prefer_ceil":
		return int(math.Floor(at + 0.5))
	case "round_prefer_floor":
		return int(math.Ceil(at - 0.5))
	}
	failf("nearest_mode %q is not supported", s.nearest)
	return 0
}

func triangle(x float64) float64 { return math.Max(0, 1-math.Abs(x)) }

// cubicKernel is Keys' cubic convolution kernel with parameter a.
func (s *sampling) cubicKernel(x float64) float64 {
	a := s.cubic
	switch x = math.Abs(x); {
	case x <= 1:
		return float64((float64((a+2)*x)-(a+3))*x*x) + 1
	case x < 2:
		return float64((float64((float64(a*x)-float64(5*a))*x)+float64(8*a))*x) - float64(4*a)
	}
	return 0
}
