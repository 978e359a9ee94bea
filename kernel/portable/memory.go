package portable

import (
	"slices"
	"unsafe"

	"github.com/x448/float16"

	"github.com/go-acap/acap/base/dtype"
)

// loadLanes reads n elements of type d, stride elements apart, into lanes.
func loadLanes(d dtype.DType, dst, src unsafe.Pointer, stride, n int) {
	if isHalf(d) {
		halfReaders[d](unsafe.Slice((*float32)(dst), n), src, 0, stride)
		return
	}
	wordsOf[d.Size()].gather(dst, src, stride, n)
}

// halfReaders read elements of half types into lanes.
var halfReaders = [...]reader[float32]{dtype.F16: readerOf[float32](dtype.F16), dtype.BF16: readerOf[float32](dtype.BF16)}

// storeLanes writes n lanes to elements of type d, stride elements apart.
func storeLanes(d dtype.DType, src, dst unsafe.Pointer, stride, n int) {
	switch d {
	case dtype.F16:
		for i, v := range unsafe.Slice((*float32)(src), n) {
			*ref[float16.Float16](dst, i*stride) = dtype.ToFloat16(v)
		}
	case dtype.BF16:
		for i, v := range unsafe.Slice((*float32)(src), n) {
			*ref[dtype.BFloat16](dst, i*stride) = dtype.ToBFloat16(v)
		}
	default:
		wordsOf[d.Size()].scatter(dst, src, stride, n)
	}
}

// words are elements that are copied, whatever they mean.
type words[T any] struct{}

// wordsOf has the elements by their bytes.
var wordsOf = [...]interface {
	gather(dst, src unsafe.Pointer, stride, n int)
	scatter(dst, src unsafe.Pointer, stride, n int)
	fill(lanes unsafe.Pointer, n int)
	pick(to, x unsafe.Pointer, stride int, sorted []uint64)
}{1: words[uint8]{}, 2: words[uint16]{}, 4: words[uint32]{}, 8: words[uint64]{}}

// ref is the address of element i of the run of T at p.
func ref[T any](p unsafe.Pointer, i int) *T {
	var t T
	return (*T)(unsafe.Add(p, i*int(unsafe.Sizeof(t))))
}

func at[T any](p unsafe.Pointer, i int) T { return *ref[T](p, i) }

// gather reads n elements that lie stride apart.
func (words[T]) gather(dst, src unsafe.Pointer, stride, n int) {
	to := unsafe.Slice((*T)(dst), n)
	switch stride {
	case 1:
		copy(to, unsafe.Slice((*T)(src), n))
	case 0:
		v := *(*T)(src)
		for i := range to {
			to[i] = v
		}
	default:
		for i := range to {
			to[i] = at[T](src, i*stride)
		}
	}
}

// scatter writes n elements stride apart.
func (words[T]) scatter(dst, src unsafe.Pointer, stride, n int) {
	from := unsafe.Slice((*T)(src), n)
	if stride == 1 {
		copy(unsafe.Slice((*T)(dst), n), from)
		return
	}
	for i, v := range from {
		*ref[T](dst, i*stride) = v
	}
}

// fill sets lanes from 1 to n-1 to lane 0.
func (words[T]) fill(lanes unsafe.Pointer, n int) {
	v := unsafe.Slice((*T)(lanes), n)
	const first = 8 // copies of fewer take longer than loops
	for i := range v[:min(n, first)] {
		v[i] = v[0]
	}
	for n := first; n < len(v); n *= 2 {
		copy(v[n:], v[:n])
	}
}

// pick copies the elements at the positions of entries.
func (words[T]) pick(to, x unsafe.Pointer, stride int, sorted []uint64) {
	for i, entry := range sorted {
		*ref[T](to, i*stride) = at[T](x, int(uint32(entry))*stride)
	}
}

// port is an operand as the steps of one body see it.
type port struct {
	dtype  dtype.DType
	length int
	stride int // between neighbouring lanes
}

func (p *port) address(f *frame, number, element int) unsafe.Pointer {
	return unsafe.Add(f.ports[number], element*p.dtype.Size())
}

// loadStep reads a port. A contiguous run that needs no conversion is not
// copied: the register points at it, if alias is set.
func loadStep(d, number int, p port, alias bool) step {
	if alias && p.stride == 1 && !isHalf(p.dtype) {
		return func(f *frame) { f.reg[d] = p.address(f, number, f.base[number]) }
	}
	return func(f *frame) { loadLanes(p.dtype, f.reg[d], p.address(f, number, f.base[number]), p.stride, f.n) }
}

func storeStep(a, number int, p port) step {
	return func(f *frame) { storeLanes(p.dtype, f.reg[a], p.address(f, number, f.base[number]), p.stride, f.n) }
}

// loadAtStep reads a port at an offset for each lane; outside it faults and gives 0.
func loadAtStep(d, offset, number int, p port) step {
	size := widened(p.dtype).Size()
	return func(f *frame) {
		offsets := lanesOf[int64](f, offset)
		if first := int64(f.base[number]) + offsets[0]; p.within(first, f.n) && same(offsets) {
			loadLanes(p.dtype, f.reg[d], p.address(f, number, int(first)), p.stride, f.n)
			return
		}
		for i, off := range offsets {
			dst := unsafe.Add(f.reg[d], i*size)
			e := int64(f.base[number]+i*p.stride) + off
			if uint64(e) >= uint64(p.length) {
				f.fault = true
				clear(unsafe.Slice((*byte)(dst), size))
				continue
			}
			loadLanes(p.dtype, dst, p.address(f, number, int(e)), 1, 1)
		}
	}
}

// within reports whether the elements of n lanes from first on are in the port.
func (p *port) within(first int64, n int) bool {
	last := first + int64((n-1)*p.stride)
	return uint64(first) < uint64(p.length) && uint64(last) < uint64(p.length)
}

// same reports whether all lanes are equal, as the offsets of a row that is looked up are.
func same(v []int64) bool {
	return !slices.ContainsFunc(v, func(x int64) bool { return x != v[0] })
}
