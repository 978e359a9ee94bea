package portable

import (
	"math"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// sortCode sorts lines; a unit is one line. Every element becomes an entry: a word of a
// key of the same order, and below it the position. Keys of two words are sorted by the
// lower word first. Few places of a long line are selected before they are sorted.
type sortCode struct {
	described
	elements
	k       *kernel.Sort
	keys    keysFunc
	words   int       // of a key
	digits  int       // bytes of a word that count
	workers sync.Pool // of *sortWorker
}

// sortWorker is the memory for the entries of one line, or of a part of it that has all
// that is asked for, and as much again to sort them.
type sortWorker struct{ line, other []uint64 }

func init() { register(compileSort) }

func compileSort(k *kernel.Sort, _ bool) kernel.Code {
	size := k.X.DType.Size()
	c := &sortCode{described: described{how: "stable sort by radix", kernel: k}, elements: elementsOf(k.X.DType, k.Unsigned), k: k, keys: keysOf(k.X.DType, k.Unsigned, k.Descending), words: (size + 3) / 4,
		digits: min(size, 4)}
	n := k.N
	if c.passes() {
		n = fewPlaces + 1
	}
	c.workers.New = func() any { return &sortWorker{make([]uint64, n), make([]uint64, n)} }
	return c
}

func (c *sortCode) Units() int { return c.k.Outer * c.k.Inner }

func (c *sortCode) UnitNanos() float64 {
	if c.passes() {
		return float64(c.k.N)
	}
	return float64(c.k.N) * (5 + 4*float64(c.k.X.DType.Size()))
}

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
	sorted := c.places(w, x)
	out := outer*k.Count*k.Inner + inner
	values := unsafe.Add(args.Ptr[1], out*size)
	for i, entry := range sorted {
		*ref[int64](args.Ptr[2], out+i*k.Inner) = int64(uint32(entry))
	}
	wordsOf[size].pick(values, x, k.Inner, sorted)
}

// places returns the places of the sorted line that are asked for.
func (c *sortCode) places(w *sortWorker, x unsafe.Pointer) []uint64 {
	k := c.k
	end := k.First + k.Count
	if c.passes() {
		return c.best(w, x, end)[k.First:]
	}
	if c.words == 1 && 4*end < k.N {
		line := c.candidates(w, x, end)
		return c.sort(line, w.spare(line), x)[k.First:end]
	}
	enumerate(w.line, 0)
	if 4*k.Count >= k.N {
		return c.sort(w.line, w.other, x)[k.First:end]
	}
	c.keys(w.line, x, k.Inner, c.words-1)
	low, high := nth(w.line, w.other, k.First), nth(w.line, w.other, end-1)
	if c.words > 1 { // the order of those with equal words is not known yet
		low, high = low&^math.MaxUint32, high|math.MaxUint32
	}
	chosen, before := between(w.line, w.other, low, high)
	return c.sort(chosen, w.line, x)[k.First-before : end-before]
}

// spare returns the memory that a line is not in.
func (w *sortWorker) spare(line []uint64) []uint64 {
	if &line[0] == &w.line[0] {
		return w.other
	}
	return w.line
}

// sort sorts entries whose positions rise. The result is one of its arguments.
func (c *sortCode) sort(entries, other []uint64, x unsafe.Pointer) []uint64 {
	other = other[:len(entries)]
	for word := range c.words {
		c.keys(entries, x, c.k.Inner, word)
		if sortEntries(entries, other, c.digits) {
			entries, other = other, entries
		}
	}
	return entries
}

// enumerate sets positions, from first on.
func enumerate(entries []uint64, first int) {
	for i := range entries {
		entries[i] = uint64(first + i)
	}
}
