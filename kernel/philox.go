package kernel

import "math/bits"

// The constants of Philox4x32: multipliers of the words, and what is added to the
// halves of the key from round to round.
const (
	PhiloxM0 = 0xd2511f53
	PhiloxM1 = 0xcd9e8d57
	PhiloxW0 = 0x9e3779b9
	PhiloxW1 = 0xbb67ae85
	// PhiloxRounds is the number of rounds of Philox4x32-10.
	PhiloxRounds = 10
)

// Philox returns a block of Philox4x32-10: four words that the counter and the key (least significant words first)
// determine (Salmon, Moraes, Dror and Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3", SC11).
func Philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3 := counter[0], counter[1], counter[2], counter[3]
	k0, k1 := key[0], key[1]
	for range PhiloxRounds {
		hi0, lo0 := bits.Mul32(PhiloxM0, c0)
		hi1, lo1 := bits.Mul32(PhiloxM1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += PhiloxW0
		k1 += PhiloxW1
	}
	return [4]uint32{c0, c1, c2, c3}
}
