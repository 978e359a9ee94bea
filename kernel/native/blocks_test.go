package native

import (
	"math"
	"math/rand/v2"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// halves are where blocks have numbers of f16, which random bytes would make infinite or no number.
var halves = map[dtype.Format][]int{dtype.Q4_0: {0}, dtype.Q4_1: {0, 2}, dtype.Q5_0: {0}, dtype.Q5_1: {0, 2}, dtype.Q8_0: {0},
	dtype.Q2_K: {80, 82}, dtype.Q3_K: {108}, dtype.Q4_K: {0, 2}, dtype.Q5_K: {0, 2}, dtype.Q6_K: {208}, dtype.IQ4_NL: {0},
	dtype.IQ4_XS: {0}, dtype.IQ2_XXS: {0}, dtype.IQ2_XS: {0}, dtype.IQ2_S: {0}, dtype.IQ3_XXS: {0}, dtype.IQ3_S: {0},
	dtype.IQ1_S: {0}, dtype.TQ1_0: {52}, dtype.TQ2_0: {64}}

// fillBlocks sets the bytes of a buffer to random blocks of a format whose values are numbers of moderate size.
func fillBlocks(b kerneltest.Buffer, r *rand.Rand, f dtype.Format) {
	for i := range b.Len() {
		at := i % f.Bytes()
		v := byte(r.Uint32())
		switch f {
		case dtype.MXFP4:
			if at == 0 {
				v = byte(120 + r.IntN(8))
			}
		case dtype.IQ1_M: // the exponent is in the upper bits of the last scale
			if at == 55 {
				v = v&15 | 0x20
			}
		}
		for _, h := range halves[f] {
			if at == h+1 {
				v = byte(r.IntN(2)<<7 | 0x1C + r.IntN(12)) // about 2^-8 to 2^-5, with a sign
			}
		}
		if g, ok := f.Group(); ok {
			switch {
			case at == 3 || at == 7 && g.Offset == dtype.Least:
				v = byte(r.IntN(2)<<7 | 0x3B + r.IntN(2)) // about 2^-9 to 2^-5, with a sign
			case at == 7 && g.Offset == dtype.ZeroPoint:
				v = byte(0x40 + r.IntN(2)) // 2 to 32
			}
		}
		b.SetBits(i, uint64(v))
	}
}

// fillHighest sets the bytes of a buffer to equal blocks of a format, with the highest numbers that it has before scales.
func fillHighest(b kerneltest.Buffer, f dtype.Format) {
	number := byte(0xFF)
	switch f {
	case dtype.Q8_0:
		number = math.MaxInt8
	case dtype.MXFP4: // 6, twice
		number = 0x77
	}
	g, isGroup := f.Group()
	if g.Bits == 8 {
		number = 0x80 // -128
	}
	for i := range b.Len() {
		at, v := i%f.Bytes(), number
		if f == dtype.MXFP4 && at == 0 {
			v = 127
		}
		for _, h := range halves[f] { // 2^-4
			switch at {
			case h:
				v = 0
			case h + 1:
				v = 0x2C
			}
		}
		if isGroup && at < g.Header() {
			v = [8]byte{2: 0x80, 3: 0x3D}[at] // 2^-4, and 0
		}
		b.SetBits(i, uint64(v))
	}
}

// productOfBlocks makes a product with blocks of a format, and an epilogue with a bias.
func productOfBlocks(r *rand.Rand, f dtype.Format, rows int, rounded bool) *kernel.Contraction {
	k := &kernel.Contraction{Name: "blocks", M: rows, N: 1 + r.IntN(40), K: f.Block() * (1 + r.IntN(3)), Acc: dtype.F32, Rounded: rounded}
	if r.IntN(3) == 0 {
		k.Batch = []int{1 + r.IntN(3)}
	}
	if f.Block() == 32 {
		k.K = 32 * []int{1, 2 + r.IntN(6), 8 + r.IntN(12)}[r.IntN(3)] // eight blocks are read at once, and then what is left
	}
	column, _ := f.RowBytes(k.K)
	k.A = kernel.Matrix{Port: kernel.Port{DType: dtype.F32}, Offset: r.IntN(3), Row: k.K + r.IntN(4), Col: 1}
	k.B = kernel.Matrix{Port: kernel.Port{DType: dtype.U8, Format: f}, Offset: r.IntN(2) * f.Bytes(), Row: f.Bytes(),
		Col: column + r.IntN(2)*f.Bytes()}
	entries := 1
	outer := []int{}
	if len(k.Batch) > 0 {
		entries = k.Batch[0]
		k.A.Batch, k.B.Batch = []int{r.IntN(2) * k.M * k.A.Row}, []int{k.N * k.B.Col}
		outer = []int{k.M * k.N}
	}
	k.A.Len, k.B.Len = k.A.Offset+entries*k.M*k.A.Row, k.B.Offset+entries*k.N*k.B.Col
	body := kernel.NewBody()
	sum := body.Input(dtype.F32)
	body.Store(2, body.Binary(kernel.Add, sum, body.Load(3, dtype.F32)))
	k.Epilogue = kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
		{Port: kernel.Port{DType: dtype.F32, Write: true, Len: entries * k.M * k.N}, Outer: append(outer, k.N, 1)},
		{Port: kernel.Port{DType: dtype.F32, Len: k.N}, Outer: append(make([]int, len(outer)), 0, 1)},
	}}
	return k
}

// fillLowest sets the bytes of a buffer to equal blocks whose numbers are 0 before a zero is taken away, and of Q6_K to
// such with the lowest scales.
func fillLowest(b kerneltest.Buffer, f dtype.Format) {
	for i := range b.Len() {
		at, v := i%f.Bytes(), byte(0)
		if f == dtype.Q6_K && at >= 192 && at < 208 {
			v = 0x80 // -128
		}
		for _, h := range halves[f] {
			if at == h+1 {
				v = 0x2C // 2^-4
			}
		}
		b.SetBits(i, uint64(v))
	}
}
