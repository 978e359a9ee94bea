package kerneltest

import "math/rand/v2"

// Whole returns count whole numbers from -7 to 7. Their products, and sums of up to 300,000 products, are exact in f32.
func Whole(r *rand.Rand, count int) []float32 {
	list := make([]float32, count)
	for i := range list {
		list[i] = float32(r.IntN(15) - 7)
	}
	return list
}
