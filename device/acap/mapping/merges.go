package mapping

// Merges returns the rounds of a network that sorts a number of sorted blocks by merging two at a time into a lower and
// an upper one: Batcher's odd-even merge sort (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M). The pairs
// of a round share no block.
func Merges(blocks int) [][][2]int {
	var rounds [][][2]int
	for p := 1; p < blocks; p *= 2 {
		for k := p; k >= 1; k /= 2 {
			var round [][2]int
			for j := k % p; j+k < blocks; j += 2 * k {
				for i := j; i < min(j+k, blocks-k); i++ {
					if i/(2*p) == (i+k)/(2*p) {
						round = append(round, [2]int{i, i + k})
					}
				}
			}
			rounds = append(rounds, round)
		}
	}
	return rounds
}
