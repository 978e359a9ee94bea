package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestRegions averages interpolated values of an image over the cells of regions, and takes maxima of weighted corners,
// with plain loops.
func TestRegions(t *testing.T) {
	const images, channels, height, width, rows, columns = 2, 2, 5, 6, 2, 3
	r := rand.New(rand.NewPCG(3, 3))
	x := drawn(r, images*channels*height*width)
	regions := []float64{1, 1, 9, 8, -6, -3, 4, 3, 2.5, 2.25, 3, 2.5, 8, 8, 30, 30}
	batches := []float64{0, 1, 1, 0}
	const scale = 0.5
	for _, version := range []int{10, 16} {
		for _, mode := range []string{"avg", "max"} {
			for _, ratio := range []int{0, 1, 3} {
				for _, transform := range []string{"", "half_pixel", "output_half_pixel"} {
					if version < 16 && transform != "" {
						continue
					}
					half := transform == "half_pixel" || transform == "" && version >= 16
					var want []float64
					for k, image := range batches {
						place := func(i int) float64 {
							v := regions[4*k+i] * scale
							if half {
								v -= 0.5
							}
							return v
						}
						w, h := place(2)-place(0), place(3)-place(1)
						if !half {
							w, h = math.Max(w, 1), math.Max(h, 1)
						}
						w, h = w/columns, h/rows
						down, across := ratio, ratio
						if ratio == 0 {
							down, across = max(1, int(math.Ceil(h))), max(1, int(math.Ceil(w)))
						}
						for c := range channels {
							pixel := func(row, column int) float64 {
								return x[((int(image)*channels+c)*height+row)*width+column]
							}
							for row := range rows {
								for column := range columns {
									sum, most := 0.0, math.Inf(-1)
									for i := range down {
										for j := range across {
											py := place(1) + h*(float64(row)+(float64(i)+0.5)/float64(down))
											px := place(0) + w*(float64(column)+(float64(j)+0.5)/float64(across))
											if py < -1 || py > height || px < -1 || px > width {
												most = math.Max(most, 0)
												continue
											}
											py, px = math.Min(math.Max(py, 0), height-1), math.Min(math.Max(px, 0), width-1)
											for a := range 2 {
												for b := range 2 {
													y, z := math.Floor(py), math.Floor(px)
													weight := (1 - math.Abs(py-y-float64(a))) * (1 - math.Abs(px-z-float64(b)))
													v := weight * pixel(min(int(y)+a, height-1), min(int(z)+b, width-1))
													sum, most = sum+v, math.Max(most, v)
												}
											}
										}
									}
									if mode == "max" {
										want = append(want, most)
									} else {
										want = append(want, sum/float64(down*across))
									}
								}
							}
						}
					}
					node := fmt.Sprintf("y = RoiAlign(x, r, b) mode=%q sampling_ratio=%d output_height=%d output_width=%d spatial_scale=0.5", mode, ratio, rows, columns)
					if transform != "" {
						node += fmt.Sprintf(" coordinate_transformation_mode=%q", transform)
					}
					check(t, fmt.Sprintf("version %d\n", version)+line("x", "f32", []int{images, channels, height, width}, x...)+
						line("r", "f32", []int{4, 4}, regions...)+line("b", "i64", []int{4}, batches...)+node+"\nwant "+
						line("y", "f32", []int{4, channels, rows, columns}, want...))
				}
			}
		}
	}
	const head = "x = f32 1x1x1x1: 1\nr = f32 1x4: 0 0 1 1\nb = i64 1: 0\nc = i64 2: 0 0\nd = i64 1: 1\ne = i64 1: -1\nf = f32 1x3: 0 0 1\ng = f32 1x4: 0 0 1e9 1e9\n"
	refuseEach(t, head+"y = ", map[string]string{
		"RoiAlign(f, r, b)":            "regions [1 4] in [1 3] with 1 batch indices",
		"RoiAlign(x, f, b)":            "regions [1 3] in",
		"RoiAlign(x, r, c)":            "with 2 batch indices",
		"RoiAlign(x, r, d)":            "batch index 1 of 1",
		"RoiAlign(x, r, e)":            "batch index -1 of 1",
		`RoiAlign(x, r, b) mode="odd"`: `mode "odd"`,
		`RoiAlign(x, r, b) coordinate_transformation_mode="odd"`: `coordinate_transformation_mode "odd" is not supported`,
		"RoiAlign(x, r, b) output_height=0":                      "0 × 1 cells",
		"RoiAlign(x, r, b) output_width=0":                       "1 × 0 cells",
		"RoiAlign(x, r, b) sampling_ratio=-1":                    "sampling_ratio -1",
		"RoiAlign(x, g, b)":                                      "a region from",
	})
}

// TestMaxOfRegions takes maxima over the cells of regions element by element; cells outside of the map are 0.
func TestMaxOfRegions(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const images, channels, height, width, scale = 2, 2, 5, 6, 0.5
	x := drawn(r, images*channels*height*width)
	rois := []float64{0, 0, 0, 11, 9, 1, 3, 2, 6, 8, 1, 5, 5, 5, 5, 0, -6, -3, 4, 5, 1, 8, 6, 30, 20, 0, 30, 30, 40, 40, 0, 7, 6, 2, 1}
	for _, cells := range [][2]int{{1, 1}, {2, 3}, {4, 2}} {
		var y []float64
		for k := range len(rois) / 5 {
			roi := rois[5*k : 5*k+5]
			edge := func(i int) int { return int(math.Round(roi[i] * scale)) }
			part := func(cell, count, first, last, extent int) (from, to int) {
				size := float64(max(last-first+1, 1)) / float64(count)
				from, to = int(math.Floor(float64(cell)*size))+first, int(math.Ceil(float64(cell+1)*size))+first
				return min(max(from, 0), extent), min(max(to, 0), extent)
			}
			for c := range channels {
				for row := range cells[0] {
					for column := range cells[1] {
						top, bottom := part(row, cells[0], edge(2), edge(4), height)
						left, right := part(column, cells[1], edge(1), edge(3), width)
						most := math.Inf(-1)
						for i := top; i < bottom; i++ {
							for j := left; j < right; j++ {
								most = max(most, x[((int(roi[0])*channels+c)*height+i)*width+j])
							}
						}
						if math.IsInf(most, -1) {
							most = 0
						}
						y = append(y, most)
					}
				}
			}
		}
		p := newProgram(t, line("x", "f32", []int{images, channels, height, width}, x...)+line("r", "f32", []int{len(rois) / 5, 5}, rois...)+
			fmt.Sprintf("y = MaxRoiPool(x, r) pooled_shape=[%d,%d] spatial_scale=%v\n", cells[0], cells[1], scale)+
			"want "+line("y", "f32", []int{len(rois) / 5, channels, cells[0], cells[1]}, y...))
		out, err := p.run(true)
		require.NoError(t, err)
		require.Equal(t, buf.Slice[float32](p.want["y"]), buf.Slice[float32](out[0]))
	}
	refuseEach(t, "x = f32 1x1x1x1: 1\nr = f32 1x5: 0 0 0 0 0\n", map[string]string{
		"y = MaxRoiPool(x, r)":                                               "for cells []",
		"y = MaxRoiPool(x, r) pooled_shape=[1,0]":                            "for cells [1 0]",
		"y = MaxRoiPool(r, r) pooled_shape=[1,1]":                            "in [1 5]",
		"q = f32 1x5: 1 0 0 0 0\ny = MaxRoiPool(x, q) pooled_shape=[1,1]":    "region 0 is of image 1 of 1",
		"q = f32 1x5: 0.5 0 0 0 0\ny = MaxRoiPool(x, q) pooled_shape=[1,1]":  "region 0 is of image 0.5 of 1",
		"q = f32 1x5: 0 0 0 0 1e30\ny = MaxRoiPool(x, q) pooled_shape=[1,1]": "region 0 has edges",
		"e = f32 1x1x0x1:\ny = MaxRoiPool(e, r) pooled_shape=[1,1]":          "takes maps with elements",
	})
}
