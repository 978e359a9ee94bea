package block

import "math"

// Rounded is how many values share a scale in what [Round] makes.
const Rounded = 32

// leastRounded is the least magnitude whose block is not rounded to zeros.
const leastRounded = 0x1p-110

// Round rounds blocks of 32 values to whole multiples, from -127 to 127, of a scale: that of the value of largest
// magnitude, over 127. It is how the operand beside packed weights is rounded where that is allowed. A value is multiplied
// by the f32 that is 127 over the magnitude and rounded to the nearest even. Blocks of values below 2^-110 are zeros, and
// a block with an infinity or a NaN has the scale NaN. q has as many elements as row, scale one for each block.
func Round(q []int8, scale, row []float32) {
	for b := range scale {
		from, to := row[b*Rounded:(b+1)*Rounded], q[b*Rounded:(b+1)*Rounded]
		most, special := float32(0), float32(0)
		for _, v := range from {
			special += v * 0
			most = max(most, float32(math.Abs(float64(v))))
		}
		if clear(to); most < leastRounded || special != 0 {
			scale[b] = special
			continue
		}
		inverse := 127 / most
		for i, v := range from {
			to[i] = int8(math.RoundToEven(float64(v * inverse)))
		}
		scale[b] = most / 127
	}
}
