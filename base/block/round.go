package block

import "math"

// Rounded is how many values share a scale in what [Round] makes.
const Rounded = 32

// LeastRounded is the magnitude that [Round] takes for the largest one of a block whose values are smaller, so that the
// reciprocal is finite.
const LeastRounded = 0x1p-100

// NoSquares is where [Round] begins the sum of the squares of a block, so that zeros are not divided by 0. It is too
// small to change a sum that is not 0.
const NoSquares = 0x1p-40

// Round rounds blocks of 32 values x to whole multiples q, from -127 to 127, of a scale. It is how the operand beside
// packed weights is rounded where that is allowed. A value is multiplied by the f32 that is 127 over the largest
// magnitude and rounded to the nearest even. The scale is then the best for these q by least squares, sum(x*q) /
// sum(q*q): with it the sum of the squares of x - scale*q is smallest; for independent errors that sum is 1/32 smaller.
// The first sum is added as a tree: the first 16 products to the last 16, then 8 to 8, and so on, so that vectors of 4,
// 8 and 16 lanes give the same bits. The second sum is exact.
//
// A magnitude below 2^-100 counts as 2^-100. A block with an infinity or a NaN has the scale NaN, and nothing reads its
// q. q has as many elements as row, scale one for each block.
func Round(q []int8, scale, row []float32) {
	for b := range scale {
		from, to := row[b*Rounded:(b+1)*Rounded], q[b*Rounded:(b+1)*Rounded]
		most := float32(LeastRounded)
		for _, v := range from {
			most = max(most, float32(math.Abs(float64(v))))
		}
		inverse := 127 / most
		var products [Rounded]float32
		squares := float32(NoSquares)
		for i, v := range from {
			multiple := float32(v * inverse)
			whole := float32(math.RoundToEven(float64(multiple)))
			products[i] = float32(multiple * whole)
			squares += float32(whole * whole)
			to[i] = int8(whole)
		}
		for n := Rounded / 2; n > 0; n /= 2 {
			for i := range n {
				products[i] += products[i+n]
			}
		}
		scale[b] = products[0] / float32(squares*inverse)
	}
}
