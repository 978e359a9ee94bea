package data

import (
	"math/bits"
	"math/rand/v2"

	"github.com/go-acap/acap/base/shape"
)

// permutation returns the numbers below n in an order that a seed and the number of an
// epoch determine, for ever: PCG is specified, and the shuffle (Fisher and Yates, by
// Durstenfeld, "Algorithm 235", 1964) is written out here, where a library may change its own.
func permutation(n int, seed, epoch uint64) []int {
	order := shape.UpTo(n)
	random := rand.NewPCG(seed, epoch)
	for i := n - 1; i > 0; i-- {
		// The upper half of a product is uniform but for a share of n/2⁶⁴.
		k, _ := bits.Mul64(random.Uint64(), uint64(i+1))
		order[i], order[k] = order[k], order[i]
	}
	return order
}
