package distributed

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Reduction is how the numbers of ranks become one.
type Reduction uint8

// The reductions. A sum of bools is their disjunction, a product their conjunction, as are the largest
// and the smallest; complex numbers have no largest. F16 and BF16 are added in F32 and
// rounded once, at the end.
const (
	Sum Reduction = iota
	Product
	Max
	Min
)

var reductionNames = []string{"sum", "product", "max", "min"}

// String returns "sum", "product", "max" or "min".
func (r Reduction) String() string {
	if int(r) < len(reductionNames) {
		return reductionNames[r]
	}
	return fmt.Sprintf("Reduction(%d)", uint8(r))
}

// ParseReduction reads the name of a reduction: sum, product, max or min. Another name is an error.
func ParseReduction(name string) (Reduction, error) {
	for r, n := range reductionNames {
		if n == name {
			return Reduction(r), nil
		}
	}
	return 0, fmt.Errorf("there is no reduction %q, but sum, product, max and min", name)
}

// supports returns an error if numbers of a type cannot be reduced so.
func (r Reduction) supports(d dtype.DType) error {
	if (d == dtype.C64 || d == dtype.C128) && r >= Max || int(r) >= len(reductionNames) {
		return fmt.Errorf("numbers of type %v have no %v", d, r)
	}
	return nil
}

// wide is the type in which numbers are reduced.
func wide(d dtype.DType) dtype.DType {
	if d == dtype.F16 || d == dtype.BF16 {
		return dtype.F32
	}
	return d
}

// combine reduces pairs of numbers of a wide type into dst.
func (r Reduction) combine(d dtype.DType, dst, src []byte) {
	switch d {
	case dtype.F32:
		reduceOrdered(r, numbers[float32](dst), numbers[float32](src))
	case dtype.F64:
		reduceOrdered(r, numbers[float64](dst), numbers[float64](src))
	case dtype.I64:
		reduceOrdered(r, numbers[int64](dst), numbers[int64](src))
	case dtype.I32:
		reduceOrdered(r, numbers[int32](dst), numbers[int32](src))
	case dtype.I16:
		reduceOrdered(r, numbers[int16](dst), numbers[int16](src))
	case dtype.I8:
		reduceOrdered(r, numbers[int8](dst), numbers[int8](src))
	case dtype.C64:
		reduceComplex(r, numbers[complex64](dst), numbers[complex64](src))
	case dtype.C128:
		reduceComplex(r, numbers[complex128](dst), numbers[complex128](src))
	case dtype.Bool:
		any := r == Sum || r == Max
		for i, v := range src {
			if any {
				dst[i] |= v
			} else {
				dst[i] &= v
			}
		}
	default:
		reduceOrdered(r, dst, src) // U8
	}
}

func numbers[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

type ordered interface {
	~uint8 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64
}

// reduceOrdered keeps a NaN of either side, as PyTorch's maximum and minimum do.
func reduceOrdered[T ordered](r Reduction, dst, src []T) {
	src = src[:len(dst)]
	switch r {
	case Sum:
		for i := range dst {
			dst[i] += src[i]
		}
	case Product:
		for i := range dst {
			dst[i] *= src[i]
		}
	case Max:
		for i, v := range src {
			if v > dst[i] || v != v {
				dst[i] = v
			}
		}
	case Min:
		for i, v := range src {
			if v < dst[i] || v != v {
				dst[i] = v
			}
		}
	}
}

func reduceComplex[T complex64 | complex128](r Reduction, dst, src []T) {
	for i := range dst {
		if r == Sum {
			dst[i] += src[i]
		} else {
			dst[i] *= src[i]
		}
	}
}

// tree reduces the parts of the ranks in order, as a binary tree: ranks 0 and 1, 2 and 3, and then
// their results, so that twice as many ranks with half as much each add up in the same order. It
// changes the parts, and leaves the result in the first.
func (r Reduction) tree(d dtype.DType, parts [][]byte) []byte {
	for step := 1; step < len(parts); step *= 2 {
		for i := 0; i+step < len(parts); i += 2 * step {
			r.combine(d, parts[i], parts[i+step])
		}
	}
	return parts[0]
}

// widen returns numbers in the type in which they are reduced, in memory that may be changed.
func widen(d dtype.DType, data []byte) []byte {
	if wide(d) == d {
		return data
	}
	return convert(d, wide(d), data)
}

func convert(from, to dtype.DType, data []byte) []byte {
	b, err := buf.Wrap(from, []int{len(data) / from.Size()}, data)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return b.Cast(to).Bytes()
}
