package machine

import "slices"

// alignment of buffers in bytes: a vector load.
const alignment = 32

// Aligned returns n, rounded up to whole vector loads, at which buffers begin.
func Aligned(n int) int { return (n + alignment - 1) / alignment * alignment }

// BankSize returns the bytes of a bank of the tile's data memory.
func (t *Tile) BankSize() int { return max(1, t.Memory.Int()/max(1, t.Banks.Int())) }

// Place returns addresses, in bytes, of buffers of the given sizes in bytes. The largest come first, each into the
// emptiest bank that has space, so that the two halves of a double buffer lie in different banks; none crosses into the
// next bank. If that leaves one without space, two banks side by side are one, and so on; if that does not help, all
// are packed.
func (t *Tile) Place(sizes []int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	at := make([]int, len(sizes))
	for banks := t.Banks.Int(); banks > 1; banks /= 2 {
		if t.place(at, order, sizes, banks) {
			return at
		}
	}
	t.pack(at, order, sizes, t.Stack.Int())
	return at
}

// place gives buffers addresses in a number of banks of the same size, and reports whether all have space there.
func (t *Tile) place(at, order, sizes []int, banks int) bool {
	size := t.Memory.Int() / banks
	used := make([]int, banks)
	used[0] = Aligned(t.Stack.Int())
	for _, i := range order {
		best := -1
		for b := range used {
			if used[b]+sizes[i] <= size && (best < 0 || used[b] < used[best]) {
				best = b
			}
		}
		if best < 0 {
			return false
		}
		at[i] = best*size + used[best]
		used[best] = Aligned(used[best] + sizes[i])
	}
	return true
}

// pack gives buffers addresses one after the other.
func (t *Tile) pack(at, order, sizes []int, from int) {
	next := Aligned(from)
	for _, i := range order {
		at[i] = next
		next = Aligned(next + sizes[i])
	}
}

// Pack returns addresses, in bytes, of buffers of the given sizes one after the other, from an address on.
func (t *Tile) Pack(sizes []int, from int) []int {
	at, order := make([]int, len(sizes)), make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	t.pack(at, order, sizes, from)
	return at
}
