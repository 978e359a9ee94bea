package importer

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// Regions says how rectangles of images become Rows × Columns cells of equal size. A cell is the mean of interpolated
// values, Ratio times Ratio of them, or as many as it has elements if Ratio is 0 or less. The
// cells of a region without a size are 0.
type Regions struct {
	Rows, Columns, Ratio int
	Scale                float64 // from the coordinates of regions to elements of the images
	Aligned              bool    // elements lie at halves; without, regions have at least the size of an element
	Max                  bool    // the largest of the weighted values instead of their mean
	// Buffer makes the buffers of places and weights, and may refuse their size by a panic.
	Buffer func(d dtype.DType, dims []int) *buf.Buffer
}

// maxPlaces bounds the interpolated values of a cell.
const maxPlaces = 1 << 27

// Align reads regions, by left, top, right and bottom, of images [N C H W]: region r of image images[r]. The result is
// [regions C Rows Columns]. Other shapes, an image that there is not, and regions that take too many elements are
// errors.
func (o Regions) Align(b Builder, x ops.Value, regions *buf.Buffer, images []int) (ops.Value, error) {
	e := ops.Emit{Builder: b}
	dims := x.Type().Shape
	if len(dims) != 4 || len(regions.Shape) != 2 || regions.Shape[1] != 4 || regions.Shape[0] != len(images) {
		return nil, fmt.Errorf("regions %v in %v with %d batch indices", regions.Shape, dims, len(images))
	}
	if o.Rows < 1 || o.Columns < 1 {
		return nil, fmt.Errorf("%d × %d cells", o.Rows, o.Columns)
	}
	for _, i := range images {
		if i < 0 || i >= dims[0] {
			return nil, fmt.Errorf("batch index %d of %d", i, dims[0])
		}
	}
	cells, most, err := o.cells(regions)
	if err != nil {
		return nil, err
	}
	channels, height, width := dims[1], dims[2], dims[3]
	places := []int{len(images), o.Rows, o.Columns, most * 4}
	index, weights := o.Buffer(dtype.I64, places), o.Buffer(x.Type().DType, places)
	to := 0
	for r, c := range cells {
		image, count := images[r]*height*width, int(c.down*c.across)
		if count == 0 { // nothing is read
			to += o.Rows * o.Columns * most * 4
			continue
		}
		for cell := range o.Rows * o.Columns {
			for k := range most {
				at := min(k, count-1) // what is repeated has no weight, or does not change a maximum
				y := c.top + float64(c.height*(float64(cell/o.Columns)+(float64(at/int(c.across))+0.5)/c.down))
				z := c.left + float64(c.width*(float64(cell%o.Columns)+(float64(at%int(c.across))+0.5)/c.across))
				for t, tap := range corners(y, z, height, width) {
					index.SetInt64(to+t, int64(image+tap.at))
					switch {
					case o.Max:
						weights.SetFloat64(to+t, tap.weight)
					case k < count:
						weights.SetFloat64(to+t, tap.weight/float64(count))
					}
				}
				to += 4
			}
		}
	}
	flat := e.Reshape(e.Call("transpose.int", x, 0, 1), []int{channels, dims[0] * height * width})
	read := e.Call("index_select", flat, 1, b.Constant("", index.Reshape([]int{index.Len()})))
	taken := e.Mul(e.Reshape(read, append([]int{channels}, places...)), b.Constant("", weights))
	cell := e.Sum(taken, []int{4}, false)
	if o.Max {
		cell = e.Call("amax", taken, []int{4}, false)
	}
	return e.Call("transpose.int", cell, 0, 1), nil
}

// cells are the cells of a region: where it begins, the size of each, and how many values are read in it each way.
type cells struct{ top, left, height, width, down, across float64 }

// cells returns the cells of all regions and the largest number of values in one.
func (o Regions) cells(regions *buf.Buffer) (list []cells, most int, err error) {
	offset := 0.0
	if o.Aligned {
		offset = 0.5
	}
	list, most = make([]cells, regions.Shape[0]), 1
	for r := range list {
		at := func(k int) float64 { return float64(regions.Float64(r*4+k)*o.Scale) - offset }
		h, w := at(3)-at(1), at(2)-at(0)
		if !o.Aligned { // old models force a region to have a size
			h, w = max(h, 1), max(w, 1)
		}
		c := cells{top: at(1), left: at(0), height: h / float64(o.Rows), width: w / float64(o.Columns),
			down: float64(o.Ratio), across: float64(o.Ratio)}
		if o.Ratio <= 0 {
			c.down, c.across = max(0, math.Ceil(c.height)), max(0, math.Ceil(c.width))
		}
		if !(c.down*c.across <= maxPlaces) || math.IsNaN(c.top+c.left) || math.IsInf(c.top+c.left, 0) {
			return nil, 0, fmt.Errorf("a region from %v, %v of %v × %v", c.left, c.top, w, h)
		}
		list[r], most = c, max(most, int(c.down*c.across))
	}
	return list, most, nil
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
