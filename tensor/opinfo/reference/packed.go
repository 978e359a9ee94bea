package reference

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// A block of 8 numbers shares an exponent.
func init() {
	Functions["_to_bfp16"] = inBlocks(8, func(block []float64) {
		most := 0.0
		for _, v := range block {
			most = max(most, math.Abs(v))
		}
		step := math.Ldexp(1, max(math.Ilogb(most), -119)-6)
		for i, v := range block {
			block[i] = max(-127, min(127, math.RoundToEven(v/step))) * step
		}
	})
}

// unpackMXFP4 returns the numbers of blocks of mxfp4, the format of all samples: 32 floats of 4 bits, the lower halves
// of 16 bytes first, times a power of two.
func unpackMXFP4(x *buf.Buffer) (values []float64) {
	four := []float64{0, 0.5, 1, 1.5, 2, 3, 4, 6}
	for at := 0; at < x.Len(); at += 17 {
		for i := range 32 {
			q := x.Int64(at+1+i%16) >> (i / 16 * 4) & 15
			v := math.Ldexp(four[q&7], int(x.Int64(at))-127)
			if q >= 8 {
				v = -v
			}
			values = append(values, v)
		}
	}
	return values
}

// Operators that take blocks.
func init() {
	Functions["_unpack_blocks"] = func(a Args) []Result {
		r := zeros(dtype.F32, a.tensor(0).Shape[0], a.tensor(0).Shape[1]/17*32)
		copy(r.Values, unpackMXFP4(a.tensor(0)))
		return []Result{r}
	}
	Functions["_packed_linear"] = func(a Args) []Result {
		x, w := a.floats(0), unpackMXFP4(a.tensor(1))
		dims := slices.Clone(a.tensor(0).Shape)
		depth := dims[len(dims)-1]
		dims[len(dims)-1] = len(w) / depth
		r := zeros(dtype.F32, dims...)
		for i := range r.Values {
			row, col := i/(len(w)/depth), i%(len(w)/depth)
			for k := range depth {
				r.Values[i] += x[row*depth+k] * w[col*depth+k]
			}
			if len(a) > 3 && a[3] != nil {
				r.Values[i] += a.floats(3)[col]
			}
		}
		return []Result{r}
	}
}

// Groups of numbers have a scale each, and a zero point or an addend.
func init() {
	Functions["_dequantize_groups"] = func(a Args) []Result {
		r := zeros(dtype.F32, a.tensor(0).Shape...)
		size := a.tensor(0).Len() / a.tensor(1).Len()
		for i, v := range a.floats(0) {
			if len(a) > 2 && a[2] != nil {
				v -= a.floats(2)[i/size]
			}
			if v *= a.floats(1)[i/size]; len(a) > 3 && a[3] != nil {
				v += a.floats(3)[i/size]
			}
			r.Values[i] = v
		}
		return []Result{r}
	}
	Functions["_pack_groups"] = func(a Args) []Result { // in groups of 32, with codes of 4 bits if there are no zero points
		codes, rows := a.tensor(0), a.tensor(0).Shape[0]
		var values []float64
		word := func(v any, group int) {
			for _, b := range v.(*buf.Buffer).Bytes()[4*group : 4*group+4] {
				values = append(values, float64(b))
			}
		}
		for group := range codes.Len() / 32 {
			word(a[1], group)
			if a[2] != nil {
				word(a[2], group)
			}
			for i := range 32 {
				q := codes.Int64(32*group + i)
				switch {
				case a[2] != nil:
					values = append(values, float64(q&255))
				case i < 16:
					values = append(values, float64(q+codes.Int64(32*group+i+16)*16))
				}
			}
		}
		return []Result{{dtype.U8, []int{rows, len(values) / rows}, values}}
	}
	Functions["_to_q4"] = inBlocks(32, func(block []float64) {
		extreme := 0.0
		for _, v := range block {
			if math.Abs(v) > math.Abs(extreme) || v == -extreme && v > 0 {
				extreme = v
			}
		}
		scale := nearest(-extreme / 8)
		for i, v := range block {
			if block[i] = 0; scale != 0 {
				block[i] = nearest(max(-8, min(7, math.RoundToEven(v/scale))) * scale)
			}
		}
	})
}

// nearest rounds to bf16.
func nearest(v float64) float64 {
	b := buf.New(dtype.BF16, []int{1})
	b.SetFloat64(0, v)
	return b.Float64(0)
}

// inBlocks does the work block by block of the last dimension.
func inBlocks(size int, round func(block []float64)) func(Args) []Result {
	return func(a Args) []Result {
		x := a.tensor(0)
		r := zeros(dtype.BF16, x.Shape...)
		copy(r.Values, a.floats(0))
		n := x.Shape[len(x.Shape)-1]
		for row := 0; row < len(r.Values); row += n {
			for i := 0; i < n; i += size {
				round(r.Values[row+i : row+min(i+size, n)])
			}
		}
		return []Result{r}
	}
}
