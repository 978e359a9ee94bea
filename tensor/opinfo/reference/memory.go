package reference

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Tensors whose elements nothing determines, and one conversion.
func init() {
	for name, size := range map[string]int{"empty.memory_format": 0, "empty_strided": 0, "new_empty": 1,
		"new_empty_strided": 1} {
		Functions[name] = func(a Args) []Result { return []Result{{dtype.F32, a[size].([]int), nil}} }
	}
	Functions["empty_like"] = func(a Args) []Result {
		return []Result{{a.tensor(0).DType, a.tensor(0).Shape, nil}}
	}
	// The last argument is a c10::ScalarType: 7 is float64.
	Functions["to.prim_device"] = func(a Args) []Result {
		return []Result{{dtype.FromTorchCode(a[2].(int)), a.tensor(0).Shape, a.floats(0)}}
	}
	// The bytes of neighbours, the first lowest, are the bits of an element.
	Functions["view.dtype"] = func(a Args) []Result {
		d, from := a[1].(dtype.DType), a.tensor(0)
		dims := slices.Clone(from.Shape)
		if n := len(dims); n > 0 {
			dims[n-1] = dims[n-1] * from.DType.Size() / d.Size()
		}
		r := zeros(d, dims...)
		for i := range r.Values {
			var bits uint64
			for k := range d.Size() {
				bits |= uint64(from.Bytes()[i*d.Size()+k]) << (8 * k)
			}
			r.Values[i] = ofBits(d, bits)
		}
		return []Result{r}
	}
	// A resized tensor keeps its first elements; NaN stands for what is not determined.
	for name, size := range map[string]func(a Args) []int{
		"resize":    func(a Args) []int { return a[1].([]int) },
		"resize_as": func(a Args) []int { return a.tensor(1).Shape },
	} {
		Functions[name] = func(a Args) []Result {
			r := zeros(a.tensor(0).DType, size(a)...)
			for i := range r.Values {
				r.Values[i] = math.NaN()
			}
			copy(r.Values, a.floats(0))
			return []Result{r}
		}
	}
	Functions["philox_bits"] = func(a Args) []Result {
		return []Result{{dtype.I32, a[0].([]int), philox(a[0].([]int), a.tensor(1), a.tensor(2))}}
	}
}

// ofBits is the value of the bits of an integer, of an f32 or of an f64.
func ofBits(d dtype.DType, bits uint64) float64 {
	switch d {
	case dtype.F32:
		return float64(math.Float32frombits(uint32(bits)))
	case dtype.F64:
		return math.Float64frombits(bits)
	case dtype.I16:
		return float64(int16(bits))
	case dtype.I32:
		return float64(int32(bits))
	case dtype.U32:
		return float64(uint32(bits))
	}
	panic("reference: the bits of " + d.String())
}

// philox is Philox4x32-10 (Salmon et al., SC11) with the seed as key: four words for each
// pair of the counter and the number of a block of four elements.
func philox(dims []int, seed, counter *buf.Buffer) []float64 {
	n := 1
	for _, d := range dims {
		n *= d
	}
	out := make([]float64, n)
	for i := range out {
		key, at := uint64(seed.Int64(0)), uint64(counter.Int64(0))
		c := [4]uint64{at & 0xffffffff, at >> 32, uint64(i / 4), 0}
		k := [2]uint64{key & 0xffffffff, key >> 32}
		for range 10 {
			p, q := c[0]*0xd2511f53, c[2]*0xcd9e8d57
			c = [4]uint64{q>>32 ^ c[1] ^ k[0], q & 0xffffffff, p>>32 ^ c[3] ^ k[1], p & 0xffffffff}
			k[0], k[1] = (k[0]+0x9e3779b9)&0xffffffff, (k[1]+0xbb67ae85)&0xffffffff
		}
		out[i] = float64(int32(c[i%4]))
	}
	return out
}
