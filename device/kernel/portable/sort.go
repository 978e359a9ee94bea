package portable

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// sortCode sorts lines; a unit is one line. Every element becomes a key, an unsigned
// number of the same order, with its position. Few places of a long line are selected
// before they are sorted.
type sortCode struct {
	k       *kernel.Sort
	keys    func(to []keyed, x unsafe.Pointer, stride int)
	workers sync.Pool
}

// keyed is a key and the position of its element.
type keyed struct {
	key uint64
	at  uint32
}

// sortWorker is the memory of one line: its keys, and as much again to sort them.
type sortWorker struct{ line, other []keyed }

func compileSort(k *kernel.Sort) kernel.Code {
	c := &sortCode{k: k, keys: keysOf(k.X.DType, k.Unsigned)}
	c.workers.New = func() any { return &sortWorker{make([]keyed, k.N), make([]keyed, k.N)} }
	return c
}

func (c *sortCode) Units() int { return c.k.Outer * c.k.Inner }

func (c *sortCode) UnitNanos() float64 {
	return float64(c.k.N) * (5 + 4*float64(c.k.X.DType.Size()))
}

func (c *sortCode) Scratch() int    { return 0 }
func (c *sortCode) Close()          {}
func (c *sortCode) Listing() string { return "portable: stable sort by radix\n" + c.k.String() }

func (c *sortCode) Run(args *kernel.Args, lo, hi int) {
	if c.k.Count == 0 {
		return
	}
	w := c.workers.Get().(*sortWorker)
	for u := lo; u < hi; u++ {
		c.line(w, args, u/c.k.Inner, u%c.k.Inner)
	}
	c.workers.Put(w)
}

func (c *sortCode) line(w *sortWorker, args *kernel.Args, outer, inner int) {
	k, size := c.k, c.k.X.DType.Size()
	x := unsafe.Add(args.Ptr[0], (outer*k.N*k.Inner+inner)*size)
	c.keys(w.line, x, k.Inner)
	if significant := ^uint64(0) << (64 - 8*size); k.Descending {
		for i := range w.line {
			w.line[i].key = ^w.line[i].key & significant
		}
	}
	sorted := w.places(k.First, k.Count, size)
	out := outer*k.Count*k.Inner + inner
	values := unsafe.Add(args.Ptr[1], out*size)
	for i, p := range sorted {
		*ref[int64](args.Ptr[2], out+i*k.Inner) = int64(p.at)
	}
	switch size {
	case 1:
		pick[uint8](values, x, k.Inner, sorted)
	case 2:
		pick[uint16](values, x, k.Inner, sorted)
	case 4:
		pick[uint32](values, x, k.Inner, sorted)
	default:
		pick[uint64](values, x, k.Inner, sorted)
	}
}

// pick copies the elements at the given positions.
func pick[T any](to, x unsafe.Pointer, stride int, sorted []keyed) {
	for i, p := range sorted {
		*ref[T](to, i*stride) = at[T](x, int(p.at)*stride)
	}
}

// places returns count places of the sorted line from first on.
func (w *sortWorker) places(first, count, size int) []keyed {
	if 4*count < len(w.line) {
		between := w.between(first, count, size)
		return sortKeys(between, w.line[:count], size)
	}
	return sortKeys(w.line, w.other, size)[first : first+count]
}

// sortKeys sorts keys of so many significant bytes, stably. The result is one of its
// arguments.
func sortKeys(keys, other []keyed, size int) []keyed {
	const long = 128 // from here on counting is faster than comparing
	if len(keys) < long {
		slices.SortFunc(keys, func(a, b keyed) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return cmp.Compare(a.at, b.at)
		})
		return keys
	}
	for shift := 64 - 8*size; shift < 64; shift += 8 {
		var starts [256]int
		for _, k := range keys {
			starts[uint8(k.key>>shift)]++
		}
		if starts[uint8(keys[0].key>>shift)] == len(keys) {
			continue // one digit for all
		}
		sum := 0
		for d, n := range starts {
			starts[d], sum = sum, sum+n
		}
		for _, k := range keys {
			d := uint8(k.key >> shift)
			other[starts[d]] = k
			starts[d]++
		}
		keys, other = other, keys
	}
	return keys
}

// nth finds the key at a place of the sorted line, and how many equal ones come before
// that place, digit by digit from the most significant one. Those that share the digits
// so far are kept in other.
func nth(line, other []keyed, place, size int) (key uint64, before int) {
	for shift := 56; shift >= 64-8*size; shift -= 8 {
		var counts [256]int
		for _, k := range line {
			counts[uint8(k.key>>shift)]++
		}
		d := 0
		for place >= counts[d] {
			place -= counts[d]
			d++
		}
		key |= uint64(d) << shift
		if counts[d] == len(line) {
			continue
		}
		same := other[:0]
		for _, k := range line {
			if uint8(k.key>>shift) == uint8(d) {
				same = append(same, k)
			}
		}
		line, other = same, same // what is read comes before what is written
	}
	return key, place
}

// between collects places first to first+count-1 of the sorted line, in the order of
// the line.
func (w *sortWorker) between(first, count, size int) []keyed {
	low, skip := uint64(0), 0
	if first > 0 {
		low, skip = nth(w.line, w.other, first, size)
	}
	high, also := nth(w.line, w.other, first+count-1, size)
	also++
	out := w.other[:0]
	for _, k := range w.line {
		if k.key < low || k.key > high {
			continue
		}
		take := true
		if k.key == high {
			also--
			take = also >= 0
		}
		if k.key == low {
			skip--
			take = take && skip < 0
		}
		if take {
			out = append(out, k)
		}
	}
	return out
}

// keysOf returns the function that gives a line its keys, significant bytes first.
func keysOf(d dtype.DType, unsigned bool) func(to []keyed, x unsafe.Pointer, stride int) {
	switch d {
	case dtype.F64:
		return func(to []keyed, x unsafe.Pointer, stride int) {
			for i := range to {
				to[i] = keyed{floatKey(at[float64](x, i*stride)), uint32(i)}
			}
		}
	case dtype.F32:
		return func(to []keyed, x unsafe.Pointer, stride int) {
			for i := range to {
				to[i] = keyed{uint64(float32Key(at[float32](x, i*stride))) << 32, uint32(i)}
			}
		}
	case dtype.F16, dtype.BF16:
		read := reader[float32](d)
		return func(to []keyed, x unsafe.Pointer, stride int) {
			for i := range to {
				to[i] = keyed{halfKey(d, read(x, i*stride)), uint32(i)}
			}
		}
	case dtype.Bool, dtype.U8:
		unsigned = true
	}
	flip := uint64(1) << 63
	if unsigned {
		flip = 0
	}
	switch d.Size() {
	case 1:
		return integerKeys[uint8](flip)
	case 2:
		return integerKeys[uint16](flip)
	case 4:
		return integerKeys[uint32](flip)
	}
	return integerKeys[uint64](flip)
}

func integerKeys[T uint8 | uint16 | uint32 | uint64](flip uint64) func([]keyed, unsafe.Pointer, int) {
	return func(to []keyed, x unsafe.Pointer, stride int) {
		var t T
		shift := 64 - 8*int(unsafe.Sizeof(t))
		for i := range to {
			to[i] = keyed{uint64(at[T](x, i*stride))<<shift ^ flip, uint32(i)}
		}
	}
}

// floatKey orders as the number does; all NaNs are one key, the largest, and both
// zeros are one.
func floatKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func float32Key(v float32) uint32 {
	if v != v {
		return math.MaxUint32
	}
	b := math.Float32bits(v + 0)
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}

// halfKey is the key of a half, of two significant bytes.
func halfKey(d dtype.DType, v float32) uint64 {
	if v != v {
		return math.MaxUint16 << 48
	}
	b := uint16(kernel.Bits(d, float64(v+0)))
	return uint64(b^(uint16(int16(b)>>15)|1<<15)) << 48
}
