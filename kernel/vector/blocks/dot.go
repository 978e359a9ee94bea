package blocks

import "github.com/go-acap/acap/kernel/vector"

// dot is the sums of four products of numbers with bytes of a row, in each lane. Numbers give their sign to the bytes:
// products are of bytes without a sign by such with one.
func (r *reader) dot(numbers, bytes vector.Val) vector.Val {
	if !r.raw || r.most == 0 {
		numbers, bytes = r.Op(vector.Abs, numbers), r.Op(vector.TakeSign, bytes, numbers)
	}
	if r.Mixed {
		return r.Into(vector.DotMixed, vector.I32, 0, numbers, bytes, r.Bits(vector.I32, 0))
	}
	return pairsSummed(r.Builder, r.Into(vector.PairsMixed, vector.Bytes, 0, numbers, bytes))
}

// pairsSummed is the sums of two sums of 16 bits.
func pairsSummed(b *vector.Builder, sums vector.Val) vector.Val {
	return b.Into(vector.SumPairs, vector.I32, 0, sums, b.Bits(vector.I32, 1<<16|1))
}
