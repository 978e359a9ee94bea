package tosa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// image is an array of small whole numbers, whose sums and products f32 holds exactly.
type image struct {
	shape  []int
	values []float64
}

func newImage(shape ...int) image {
	n := 1
	for _, extent := range shape {
		n *= extent
	}
	return image{shape, make([]float64, n)}
}

func drawn(random *rand.Rand, shape ...int) image {
	a := newImage(shape...)
	for i := range a.values {
		a.values[i] = float64(random.IntN(15) - 7)
	}
	return a
}

// place is the number of an element, or -1 outside.
func (a image) place(at ...int) int {
	n := 0
	for k, i := range at {
		if i < 0 || i >= a.shape[k] {
			return -1
		}
		n = n*a.shape[k] + i
	}
	return n
}

func (a image) at(at ...int) float64 {
	if n := a.place(at...); n >= 0 {
		return a.values[n]
	}
	return 0
}

func (a image) typ(elem string) string {
	var b strings.Builder
	for _, n := range a.shape {
		fmt.Fprintf(&b, "%dx", n)
	}
	return "tensor<" + b.String() + elem + ">"
}

func (a image) buffer(t *testing.T, elem string) *buf.Buffer {
	return recordedTensor{elem, a.shape, a.values}.buffer(t)
}

// same requires what an operation on inputs gives.
func same(t *testing.T, want image, elem, name, attrs string, inputs ...image) {
	t.Helper()
	types := make([]string, len(inputs))
	args, given := make([]string, len(inputs)), make([]string, len(inputs))
	buffers := make([]*buf.Buffer, len(inputs))
	for i, in := range inputs {
		types[i], args[i], buffers[i] = in.typ(elem), fmt.Sprintf("%%a%d", i), in.buffer(t, elem)
		given[i] = args[i] + ": " + types[i]
	}
	text := fmt.Sprintf("func.func @main(%s) -> %[2]s {\n  %%0 = tosa.%s %s {%s} : (%s) -> %[2]s\n  return %%0 : %[2]s\n}",
		strings.Join(given, ", "), want.typ(elem), name, strings.Join(args, ", "), attrs, strings.Join(types, ", "))
	require.Equal(t, want.values, numbers(runText(t, text, buffers)[0]), text)
}

// extent is the extent of a result of windows.
func extent(in, before, after, kernel, stride, dilation int) int {
	return (in+before+after-(kernel-1)*dilation-1)/stride + 1
}

// TestConvolutions: padding, strides and dilations that differ in each direction.
func TestConvolutions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	x, bias := drawn(random, 2, 7, 9, 3), drawn(random, 4)
	w := drawn(random, 4, 2, 3, 3)
	attrs := "pad = array<i64: 1, 0, 2, 3>, stride = array<i64: 1, 2>, dilation = array<i64: 3, 2>"
	y := newImage(2, extent(7, 1, 0, 2, 1, 3), extent(9, 2, 3, 3, 2, 2), 4)
	for i := range y.values {
		c, q, p, n := i%4, i/4%y.shape[2], i/4/y.shape[2]%y.shape[1], i/4/y.shape[2]/y.shape[1]
		y.values[i] = bias.values[c]
		for k := range 2 * 3 * 3 {
			y.values[i] += w.at(c, k/9, k/3%3, k%3) * x.at(n, p-1+k/9*3, q*2-2+k/3%3*2, k%3)
		}
	}
	same(t, y, "f32", "conv2d", attrs, x, w, bias)

	deep := drawn(random, 2, 3, 3, 2)
	bias = drawn(random, 6)
	y = newImage(2, y.shape[1], y.shape[2], 6)
	for i := range y.values {
		c, q, p, n := i%6, i/6%y.shape[2], i/6/y.shape[2]%y.shape[1], i/6/y.shape[2]/y.shape[1]
		y.values[i] = bias.values[c]
		for k := range 2 * 3 {
			y.values[i] += deep.at(k/3, k%3, c/2, c%2) * x.at(n, p-1+k/3*3, q*2-2+k%3*2, c/2)
		}
	}
	same(t, y, "f32", "depthwise_conv2d", attrs, x, deep, bias)

	volume, w3, bias := drawn(random, 2, 4, 5, 6, 2), drawn(random, 3, 2, 3, 1, 2), drawn(random, 3)
	y = newImage(2, extent(4, 1, 0, 2, 1, 2), extent(5, 0, 2, 3, 2, 1), extent(6, 1, 1, 1, 3, 1), 3)
	for n := range 2 {
		for p := range y.shape[1] {
			for q := range y.shape[2] {
				for r := range y.shape[3] {
					for c := range 3 {
						sum := bias.values[c]
						for k := range 2 * 3 * 2 {
							sum += w3.at(c, k/6, k/2%3, 0, k%2) * volume.at(n, p-1+k/6*2, q*2+k/2%3, r*3-1, k%2)
						}
						y.values[y.place(n, p, q, r, c)] = sum
					}
				}
			}
		}
	}
	same(t, y, "f32", "conv3d", "pad = array<i64: 1, 0, 0, 2, 1, 1>, stride = array<i64: 1, 2, 3>, dilation = array<i64: 2, 1, 1>",
		volume, w3, bias)
}

// TestTransposedConvolution: each element of the input adds the filter, times itself, to the result.
func TestTransposedConvolution(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	x, w, bias := drawn(random, 2, 3, 4, 2), drawn(random, 3, 2, 5, 2), drawn(random, 3)
	pad, stride := []int{1, 2, -1, 0}, []int{3, 2}
	y := newImage(2, 2*stride[0]+pad[0]+pad[1]+2, 3*stride[1]+pad[2]+pad[3]+5, 3)
	for i := range y.values {
		y.values[i] = bias.values[i%3]
	}
	for i, v := range x.values {
		c, q, p, n := i%2, i/2%4, i/8%3, i/24
		for k := range 2 * 5 * 3 {
			to := y.place(n, p*stride[0]+pad[0]+k/15, q*stride[1]+pad[2]+k/3%5, k%3)
			if to >= 0 {
				y.values[to] += v * w.at(k%3, k/15, k/3%5, c)
			}
		}
	}
	same(t, y, "f32", "transpose_conv2d", fmt.Sprintf("out_pad = array<i64: 1, 2, -1, 0>, stride = array<i64: 3, 2>, out_shape = array<i64: 2, %d, %d, 3>",
		y.shape[1], y.shape[2]), x, w, bias)
}

// TestPools: the largest element and the mean of those inside of the image, which the specification's
// reciprocals, a little too large, round away from zero.
func TestPools(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	x := drawn(random, 2, 6, 7, 3)
	most := newImage(2, extent(6, 1, 1, 3, 1, 1), extent(7, 0, 1, 2, 2, 1), 3)
	mean := newImage(most.shape...)
	for i := range most.values {
		c, q, p, n := i%3, i/3%most.shape[2], i/3/most.shape[2]%most.shape[1], i/3/most.shape[2]/most.shape[1]
		sum, count, largest := 0.0, 0, math.Inf(-1)
		for k := range 3 * 2 {
			if at := x.place(n, p-1+k/2, q*2+k%2, c); at >= 0 {
				sum, count, largest = sum+x.values[at], count+1, max(largest, x.values[at])
			}
		}
		most.values[i], mean.values[i] = largest, math.Round(sum/float64(count))
	}
	attrs := "kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 2>"
	same(t, most, "f32", "max_pool2d", attrs, x)
	same(t, most, "i8", "max_pool2d", attrs, x)
	same(t, mean, "i8", "avg_pool2d", attrs+", acc_type = i32", x)
	same(t, mean, "i16", "avg_pool2d", attrs+", acc_type = i32", x)
}

// TestResize: scales, offsets and borders that differ in each direction; the integers keep the product
// of the scales.
func TestResize(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	x := drawn(random, 2, 3, 5, 2)
	up, down, offset := [2]int{4, 2}, [2]int{2, 3}, [2]int{-1, 1}
	y := newImage(2, 6, 4, 2)
	nearest, linear := newImage(y.shape...), newImage(y.shape...)
	clip := func(i, axis int) int { return min(max(i, 0), x.shape[axis]-1) }
	for i := range y.values {
		c, n := i%2, i/48
		var low, part [2]int
		for k, at := range [2]int{i / 8 % 6, i / 2 % 4} {
			place := at*down[k] + offset[k]
			low[k] = int(math.Floor(float64(place) / float64(up[k])))
			part[k] = place - low[k]*up[k]
		}
		pixel := func(dy, dx int) float64 { return x.at(n, clip(low[0]+dy, 1), clip(low[1]+dx, 2), c) }
		round := func(k int) int {
			if 2*part[k] >= up[k] {
				return 1
			}
			return 0
		}
		nearest.values[i] = pixel(round(0), round(1))
		row := func(dy int) float64 {
			return pixel(dy, 0)*float64(up[1]-part[1]) + pixel(dy, 1)*float64(part[1])
		}
		linear.values[i] = row(0)*float64(up[0]-part[0]) + row(1)*float64(part[0])
	}
	attrs := "scale = array<i64: 4, 2, 2, 3>, offset = array<i64: -1, 1>, border = array<i64: 0, 0>, mode = "
	same(t, nearest, "f32", "resize", attrs+`"NEAREST_NEIGHBOR"`, x)
	same(t, nearest, "i8", "resize", attrs+`"NEAREST_NEIGHBOR"`, x)
	same(t, linear, "i32", "resize", attrs+`"BILINEAR"`, x)
	for i := range linear.values {
		linear.values[i] /= 8
	}
	same(t, linear, "f32", "resize", attrs+`"BILINEAR"`, x)
}
