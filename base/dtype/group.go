package dtype

import "fmt"

// Group describes a format of blocks in which a group of numbers shares a scale of f32, as PyTorch, torchao and ONNX
// quantise weights. A block has the scale, the zero point or least value if there is one, and the numbers. Numbers of 8
// bits are q-128 as signed bytes, and 128 is taken from their zero point as well. Numbers of 4 bits lie 32 by 32 in 16
// bytes, the first 16 in the low halves.
//
// A number q from 0 to 2^Bits-1 stands for
//
//	(q - 2^(Bits-1))·scale          centred
//	(q - zero)·scale                with a zero point
//	(q - 2^(Bits-1))·scale + least  with a least value, which belongs to the middle q
//
// where each operation is rounded to f32.
type Group struct {
	Bits   int // 4 or 8
	Size   int // 32 or 128 values
	Offset Offset
}

// Offset says which numbers the blocks of a [Group] have beside scales: none, zero points or least values.
type Offset uint8

const (
	Centred Offset = iota
	ZeroPoint
	Least
	offsets
)

// firstGroup is the first of the formats that are groups, which follow those with names of their own.
const firstGroup = Sparse24 + 1

// groups are in the order of their formats.
var groups = func() (list []Group) {
	for _, bits := range []int{4, 8} {
		for _, size := range []int{32, 128} {
			for o := range offsets {
				list = append(list, Group{bits, size, o})
			}
		}
	}
	return list
}()

// Group describes a format of groups, and reports whether f is one.
func (f Format) Group() (Group, bool) {
	if f < firstGroup || !f.Valid() {
		return Group{}, false
	}
	return groups[f-firstGroup], true
}

// Format returns the format, and whether there is one.
func (g Group) Format() (Format, bool) {
	for i, other := range groups {
		if other == g {
			return firstGroup + Format(i), true
		}
	}
	return Plain, false
}

// Header returns the bytes before the numbers of a block.
func (g Group) Header() int {
	if g.Offset == Centred {
		return 4
	}
	return 8
}

// String returns the name of the format, as in "q4_g128_zero".
func (g Group) String() string {
	return fmt.Sprintf("q%d_g%d%s", g.Bits, g.Size, [offsets]string{"", "_zero", "_least"}[g.Offset])
}
