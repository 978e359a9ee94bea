package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
)

// group is how blocks of a group are read.
func group(g dtype.Group) *format {
	f := &format{share: 1}
	if g.Bits == 4 && g.Offset != dtype.Least {
		f.most, f.halved = 15, true
	}
	words := []int{0}
	if g.Offset != dtype.Centred {
		words = append(words, 4)
		f.least = added
	}
	switch {
	case g.Offset == dtype.ZeroPoint:
		f.least, f.before = subtracted, true
	case g.Offset == dtype.Centred && g.Bits == 4:
		f.zero = 8
	}
	f.read = func(r *reader, block vector.Val, c int) []vector.Val {
		at := g.Header() + c*chunk*g.Bits/8
		if g.Bits == 8 {
			return r.row(block, at)
		}
		x := r.nibbles(block, at)
		if g.Offset == dtype.Least {
			x = r.minus(8, x)
		}
		return x
	}
	f.scales = func(r *reader, block vector.Val, n int) (scales, least []vector.Val) {
		list := make([][]vector.Val, 2)
		for i, at := range words {
			if g.Size > chunk { // of all chunks of a turn
				list[i] = []vector.Val{r.Splat(vector.F32, block, vector.Access{Offset: at})}
			} else {
				list[i] = []vector.Val{r.Strided(vector.F32, block, vector.Access{Offset: at, Stride: r.of.Bytes(), Count: n})}
			}
		}
		return list[0], list[1]
	}
	return f
}
