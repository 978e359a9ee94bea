package portable

// An entry is a word of a key, an unsigned number of the same order as what is sorted,
// in the upper half, and a position in the lower.

// sortEntries sorts entries by their digits most significant bytes, stably. It reports whether the result is in other.
func sortEntries(entries, other []uint64, digits int) bool {
	const short = 32 // up to here inserting is faster than counting
	if len(entries) <= short {
		insert(entries)
		return false
	}
	var counts [4][256]uint32
	for _, e := range entries {
		counts[0][uint8(e>>32)]++
		counts[1][uint8(e>>40)]++
		counts[2][uint8(e>>48)]++
		counts[3][uint8(e>>56)]++
	}
	swapped := false
	for d := 4 - digits; d < 4; d++ {
		starts, shift := &counts[d], 32+8*d
		if int(starts[uint8(entries[0]>>shift)]) == len(entries) {
			continue // one digit for all
		}
		sum := uint32(0)
		for i, n := range starts {
			starts[i], sum = sum, sum+n
		}
		for _, e := range entries {
			i := uint8(e >> shift)
			other[starts[i]] = e
			starts[i]++
		}
		entries, other, swapped = other, entries, !swapped
	}
	return swapped
}

// insert sorts entries by insertion.
func insert(entries []uint64) {
	for i, e := range entries {
		for ; i > 0 && e>>32 < entries[i-1]>>32; i-- {
			entries[i] = entries[i-1]
		}
		entries[i] = e
	}
}

// nth finds the entry at a place of the sorted line, digit by digit from the most
// significant one. Those that share the digits so far are kept in other.
func nth(line, other []uint64, place int) uint64 {
	for shift := 56; len(line) > 1; shift -= 8 {
		var counts [256]int
		for _, e := range line {
			counts[uint8(e>>shift)]++
		}
		d := 0
		for place >= counts[d] {
			place -= counts[d]
			d++
		}
		if counts[d] == len(line) {
			continue
		}
		same := other[:0]
		for _, e := range line {
			if uint8(e>>shift) == uint8(d) {
				same = append(same, e)
			}
		}
		line, other = same, same // what is read comes before what is written
	}
	return line[0]
}

// between collects the entries from low to high in other, in the order of the line, and counts those below.
func between(line, other []uint64, low, high uint64) (chosen []uint64, before int) {
	chosen = other[:0]
	for _, e := range line {
		switch {
		case e < low:
			before++
		case e <= high:
			chosen = append(chosen, e)
		}
	}
	return chosen, before
}
