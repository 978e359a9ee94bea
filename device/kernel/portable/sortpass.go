package portable

import (
	"unsafe"

	"github.com/go-acap/acap/tensor/dtype"
)

// fewPlaces bounds the places that are kept in order while elements pass by.
const fewPlaces = 64

// passes reports whether the first places are so few that most elements only pass by.
func (c *sortCode) passes() bool {
	end := c.k.First + c.k.Count
	return c.words == 1 && end <= fewPlaces && end < c.k.N
}

// best returns the first count places of the sorted line.
func (c *sortCode) best(w *sortWorker, x unsafe.Pointer, count int) []uint64 {
	best, entry := w.line[:0], w.other[:1]
	for i := 0; i < c.k.N; i++ {
		if len(best) == count {
			worst := int(uint32(best[count-1]))
			if i = c.better(x, c.k.Inner, i, c.k.N, worst); i == c.k.N {
				break
			}
		}
		entry[0] = uint64(i)
		c.keys(entry, x, c.k.Inner, 0)
		switch {
		case len(best) < count:
			best = append(best, entry[0])
			insertLast(best)
		case entry[0] < best[count-1]:
			best[count-1] = entry[0]
			insertLast(best)
		}
	}
	return best
}

// betterFunc returns the first of the elements from one up to another that may come
// before that in place worst, or the end. It is quick where most do not.
type betterFunc func(x unsafe.Pointer, stride, from, end, worst int) int

// betterOf returns the function for a type of at most 4 bytes and an order.
func betterOf(d dtype.DType, unsigned, descending bool) betterFunc {
	switch d {
	case dtype.F32:
		return beyond[float32](descending)
	case dtype.F16, dtype.BF16:
		return halvesBeyond(infinityOf(d), descending)
	case dtype.Bool, dtype.U8:
		unsigned = true
	}
	switch {
	case d.Size() == 1 && unsigned:
		return beyond[uint8](descending)
	case d.Size() == 1:
		return beyond[int8](descending)
	case d.Size() == 2 && unsigned:
		return beyond[uint16](descending)
	case d.Size() == 2:
		return beyond[int16](descending)
	case unsigned:
		return beyond[uint32](descending)
	}
	return beyond[int32](descending)
}

func beyond[T element](descending bool) betterFunc {
	if descending {
		return above[T]
	}
	return below[T]
}

// above finds a number that is not at most that in place worst, or a NaN; all are above a
// NaN.
func above[T element](x unsafe.Pointer, stride, from, end, worst int) int {
	limit := at[T](x, worst*stride)
	for i := from; i < end; i++ {
		if !(at[T](x, i*stride) <= limit) {
			return i
		}
	}
	return end
}

// below finds a number that is not at least that in place worst, or a NaN; all are below
// a NaN.
func below[T element](x unsafe.Pointer, stride, from, end, worst int) int {
	limit := at[T](x, worst*stride)
	for i := from; i < end; i++ {
		if !(at[T](x, i*stride) >= limit) {
			return i
		}
	}
	return end
}

// halvesBeyond compares the keys of halves.
func halvesBeyond(infinity uint16, descending bool) betterFunc {
	flip := uint16(0)
	if descending {
		flip = ^flip
	}
	return func(x unsafe.Pointer, stride, from, end, worst int) int {
		limit := halfKey(*(*uint16)(unsafe.Add(x, 2*worst*stride)), infinity) ^ flip
		for i := from; i < end; i++ {
			if halfKey(*(*uint16)(unsafe.Add(x, 2*i*stride)), infinity)^flip < limit {
				return i
			}
		}
		return end
	}
}
