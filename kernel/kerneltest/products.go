package kerneltest

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// operand is an input of a product as plain numbers.
type operand struct {
	whole   []int64   // of an integer type
	numbers []float64 // of any type
	tiny    []bool    // bf16 numbers that VDPBF16PS takes for zero; nil if there are none
	odd     bool      // some are infinite or NaN
}

func operandOf(b Buffer) operand {
	o := operand{numbers: make([]float64, b.Len())}
	if !b.DType.IsFloat() {
		o.whole = make([]int64, b.Len())
	}
	for i := range o.numbers {
		v := b.Get(i)
		if o.numbers[i] = v.F; o.whole != nil {
			o.numbers[i], o.whole[i] = float64(v.I), v.I
		}
		o.odd = o.odd || math.IsInf(v.F, 0) || math.IsNaN(v.F)
		if b.DType == dtype.BF16 && v.F != 0 && math.Abs(v.F) < 0x1p-126 {
			if o.tiny == nil {
				o.tiny = make([]bool, b.Len())
			}
			o.tiny[i] = true
		}
	}
	return o
}

// multiply adds a product of element i of x and element j of y.
func (s *sum) multiply(x, y *operand, i, j int) {
	if x.whole != nil && y.whole != nil {
		s.value.I += x.whole[i] * y.whole[j]
	}
	p := x.numbers[i] * y.numbers[j]
	s.value.F += p
	if math.IsInf(x.numbers[i], 0) || math.IsInf(y.numbers[j], 0) || p != p {
		s.odd = true
	} else {
		s.size += math.Abs(p)
	}
	s.terms++
	if x.tiny != nil && x.tiny[i] || y.tiny != nil && y.tiny[j] {
		s.lost += math.Abs(p)
	}
}

// line is elements of an operand from the first on, a step apart.
type line struct {
	*operand
	first, step int
}

// line adds products of count elements of two lines.
func (s *sum) line(x, y line, count int) {
	i, j := x.first, y.first
	if x.odd || y.odd || x.tiny != nil || y.tiny != nil {
		for range count {
			s.multiply(x.operand, y.operand, i, j)
			i, j = i+x.step, j+y.step
		}
		return
	}
	value, size, whole := s.value.F, s.size, x.whole != nil && y.whole != nil
	for range count {
		p := x.numbers[i] * y.numbers[j]
		value += p
		size += math.Abs(p)
		if whole {
			s.value.I += x.whole[i] * y.whole[j]
		}
		i, j = i+x.step, j+y.step
	}
	s.value.F, s.size, s.terms = value, size, s.terms+count
}

func evalContraction(c *kernel.Contraction, ports []Buffer, e *Errors) {
	a, b := operandOf(ports[0]), operandOf(ports[1])
	if c.B.Stored() {
		c = unpacked(c, ports, &a, &b)
	}
	n, last := len(c.Batch), newEpilogue(&c.Epilogue, 2, ports, c.Acc)
	walk(append(append([]int(nil), c.Batch...), c.M, c.N), func(index []int) {
		i, j := matrixAt(&c.A, index[:n], index[n], 0), matrixAt(&c.B, index[:n], 0, index[n+1])
		var s sum
		s.line(line{&a, i, c.A.Col}, line{&b, j, c.B.Row}, c.K)
		e.epilogue(last, index, &s)
	})
}

// evalConvolution sums over the part of the window that is inside of the image: padding contributes
// nothing, whatever the filter is.
func evalConvolution(c *kernel.Convolution, ports []Buffer, e *Errors) {
	x, filter := operandOf(ports[0]), operandOf(ports[1])
	perGroup := c.C / c.Groups
	transformed, last := newTransformed(c, &x, &filter), newEpilogue(&c.Epilogue, 2, ports, c.Acc)
	walk([]int{c.N, c.K, c.P, c.Q}, func(index []int) {
		n, k, p, q := index[0], index[1], index[2], index[3]
		first := k / (c.K / c.Groups) * perGroup
		left, right := inside(q*c.Stride[1]-c.Pad[1], c.Dilation[1], c.S, c.W)
		var s sum
		for ch := range perGroup {
			for r := range c.R {
				h, w := p*c.Stride[0]+r*c.Dilation[0]-c.Pad[0], q*c.Stride[1]+left*c.Dilation[1]-c.Pad[1]
				if uint(h) >= uint(c.H) || left >= right {
					continue
				}
				sx, sw := &c.X.Strides, &c.Filter.Strides
				s.line(line{&x, c.X.Offset + n*sx[0] + (first+ch)*sx[1] + h*sx[2] + w*sx[3], c.Dilation[1] * sx[3]},
					line{&filter, c.Filter.Offset + k*sw[0] + ch*sw[1] + r*sw[2] + left*sw[3], sw[3]}, right-left)
			}
		}
		if transformed != nil {
			s.size = max(s.size, transformed.size(index))
		}
		e.epilogue(last, index, &s)
	})
}

// inside returns the taps of a window, which begins at a place and has steps, that are inside of an extent.
func inside(at, step, taps, extent int) (first, end int) {
	for first < taps && at+first*step < 0 {
		first++
	}
	for end = taps; end > first && at+(end-1)*step >= extent; {
		end--
	}
	return first, end
}

// transformed tells how large the terms of Winograd's algorithm are, which has terms of all pixels of a
// tile: over the channels, the largest pixel of the tiles that a result is in times all of the filter.
// Transformations add up to four pixels and have up to 9/4 of a filter. NaN does not count: it is in the window itself
// or makes no difference.
type transformed struct {
	c               *kernel.Convolution
	pixels, weights []float64 // of each image, channel, row and column; of each filter and channel
}

// newTransformed returns nil for convolutions that the algorithm does not suit.
func newTransformed(c *kernel.Convolution, x, filter *operand) *transformed {
	one := [2]int{1, 1}
	if c.R != 3 || c.S != 3 || c.Stride != one || c.Dilation != one || !c.Filter.Const || c.Acc != dtype.F32 {
		return nil
	}
	t := &transformed{c: c}
	walk([]int{c.N, c.C, c.P, c.Q}, func(i []int) {
		most := 0.0
		for h := max(0, i[2]-c.Pad[0]-1); h < min(c.H, i[2]-c.Pad[0]+4); h++ {
			at := c.X.Offset + i[0]*c.X.Strides[0] + i[1]*c.X.Strides[1] + h*c.X.Strides[2]
			for w := max(0, i[3]-c.Pad[1]-1); w < min(c.W, i[3]-c.Pad[1]+4); w++ {
				most = max(most, finite(x.numbers[at+w*c.X.Strides[3]]))
			}
		}
		t.pixels = append(t.pixels, most)
	})
	walk([]int{c.K, c.C / c.Groups}, func(i []int) {
		sum := 0.0
		for tap := range 9 {
			sum += finite(filter.numbers[c.Filter.Offset+i[0]*c.Filter.Strides[0]+i[1]*c.Filter.Strides[1]+
				tap/3*c.Filter.Strides[2]+tap%3*c.Filter.Strides[3]])
		}
		t.weights = append(t.weights, sum)
	})
	return t
}

func (t *transformed) size(index []int) (sum float64) {
	c, perGroup := t.c, t.c.C/t.c.Groups
	first := index[1] / (c.K / c.Groups) * perGroup
	at := ((index[0]*c.C+first)*c.P+index[2])*c.Q + index[3]
	for ch := range perGroup {
		sum += t.pixels[at] * t.weights[index[1]*perGroup+ch]
		at += c.P * c.Q
	}
	return sum
}

// unpacked returns a contraction with blocks of a packed format as one of the values in them, and in it the values that
// the operands have: B's as package block reads them, and A's rounded if they are to be.
func unpacked(c *kernel.Contraction, ports []Buffer, a, b *operand) *kernel.Contraction {
	f, plain := c.B.Format, *c
	values := make([]float32, c.B.Len/f.Bytes()*f.Block())
	block.Decode(f, values, unsafe.Slice((*byte)(ports[1].Pointer()), c.B.Len/f.Bytes()*f.Bytes()))
	*b = operand{numbers: make([]float64, len(values))}
	for i, v := range values {
		b.numbers[i] = float64(v)
		b.odd = b.odd || v-v != 0
	}
	wide := func(bytes int) int { return bytes / f.Bytes() * f.Block() }
	plain.B.Offset, plain.B.Row, plain.B.Col = wide(c.B.Offset), 1, wide(c.B.Col)
	plain.B.Batch = slices.Clone(c.B.Batch)
	for i, stride := range plain.B.Batch {
		plain.B.Batch[i] = wide(stride)
	}
	if !c.Rounded {
		return &plain
	}
	rounded := operand{numbers: slices.Clone(a.numbers), odd: a.odd}
	walk(append(append([]int(nil), c.Batch...), c.M, c.K/block.Rounded), func(index []int) {
		var row, scale [block.Rounded]float32
		var q [block.Rounded]int8
		at := matrixAt(&c.A, index[:len(c.Batch)], index[len(c.Batch)], index[len(c.Batch)+1]*block.Rounded)
		for i := range row {
			row[i] = float32(a.numbers[at+i*c.A.Col])
		}
		block.Round(q[:], scale[:1], row[:])
		for i := range row {
			rounded.numbers[at+i*c.A.Col] = float64(scale[0]) * float64(q[i])
			rounded.odd = rounded.odd || scale[0] != scale[0]
		}
	})
	*a = rounded
	return &plain
}
