package portable

import "unsafe"

// fewPlaces bounds the places that are kept in order while elements pass by.
const fewPlaces = 64

// passes reports whether the first places are so few that most elements only pass by.
func (c *sortCode) passes() bool {
	end := c.k.First + c.k.Count
	return end <= fewPlaces && end < c.k.N
}

// best returns the first count places of the sorted line. The whole keys of those so far are kept beside their entries.
func (c *sortCode) best(w *sortWorker, x unsafe.Pointer, count int) []uint64 {
	best, keys, entry := w.line[:0], w.other[:0], w.other[fewPlaces:]
	for i := 0; i < c.k.N; i++ {
		if len(best) == count {
			worst := int(uint32(best[count-1]))
			if i = c.beyond(c.k.Descending, x, c.k.Inner, i, c.k.N, worst); i == c.k.N {
				break
			}
		}
		key := c.key(x, i, entry)
		if len(best) == count {
			if key >= keys[count-1] {
				continue
			}
			best, keys = best[:count-1], keys[:count-1]
		}
		best, keys = append(best, uint64(i)), append(keys, key)
		j := len(keys) - 1
		for ; j > 0 && key < keys[j-1]; j-- {
			best[j], keys[j] = best[j-1], keys[j-1]
		}
		best[j], keys[j] = uint64(i), key
	}
	return best
}

// key is the whole key of one element, found in an entry.
func (c *sortCode) key(x unsafe.Pointer, i int, entry []uint64) uint64 {
	key := uint64(0)
	for word := c.words - 1; word >= 0; word-- {
		entry[0] = uint64(i)
		c.keys(entry, x, c.k.Inner, word)
		key = key<<32 | entry[0]>>32
	}
	return key
}

// candidates returns entries of keys of one word among which are the first count places of
// the sorted line, in the order of the line. When there are twice as many, the last of the
// first count is found, and only what may come before that is looked at from there on.
func (c *sortCode) candidates(w *sortWorker, x unsafe.Pointer, count int) []uint64 {
	line, other, worst := w.line[:0], w.other, -1
	keyed := 0 // of the line
	for i := 0; i < c.k.N; i++ {
		if worst >= 0 {
			if i = c.beyond(c.k.Descending, x, c.k.Inner, i, c.k.N, worst); i == c.k.N {
				break
			}
		}
		line = append(line, uint64(i))
		if len(line) == 2*count {
			c.keys(line[keyed:], x, c.k.Inner, 0)
			last := nth(line, other, count-1)
			chosen, _ := between(line, other, 0, last)
			line, other = chosen, line[:cap(line)]
			worst, keyed = int(uint32(last)), count
		}
	}
	c.keys(line[keyed:], x, c.k.Inner, 0)
	return line
}

func (plain[T, A]) beyond(descending bool, x unsafe.Pointer, stride, from, end, worst int) int {
	if descending {
		return above[T](x, stride, from, end, worst)
	}
	return below[T](x, stride, from, end, worst)
}

// above returns the first place between from and end whose number is larger than that in place worst, or is a NaN; any
// number counts as larger than a NaN. Without such a place it returns end.
func above[T element](x unsafe.Pointer, stride, from, end, worst int) int {
	limit := at[T](x, worst*stride)
	for i := from; i < end; i++ {
		if !(at[T](x, i*stride) <= limit) {
			return i
		}
	}
	return end
}

// below is above for numbers that are smaller than that in place worst.
func below[T element](x unsafe.Pointer, stride, from, end, worst int) int {
	limit := at[T](x, worst*stride)
	for i := from; i < end; i++ {
		if !(at[T](x, i*stride) >= limit) {
			return i
		}
	}
	return end
}

// beyond implements [elements]: it compares keys.
func (h halves) beyond(descending bool, x unsafe.Pointer, stride, from, end, worst int) int {
	flip, infinity := uint16(0), infinityOf(h.d)
	if descending {
		flip = ^flip
	}
	limit := floatKey(at[uint16](x, worst*stride), infinity) ^ flip
	for i := from; i < end; i++ {
		if floatKey(at[uint16](x, i*stride), infinity)^flip < limit {
			return i
		}
	}
	return end
}
