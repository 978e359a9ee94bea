package shape

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Error reports shapes that an operation cannot combine.
type Error struct {
	Rule   string  // what is required, for example "shapes must broadcast"
	Shapes [][]int // the offending shapes, in argument order
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Rule)
	for i, s := range e.Shapes {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(" and ")
		}
		b.WriteString(String(s))
	}
	return b.String()
}

// Errorf makes an [*Error] with the given rule about the shapes.
func Errorf(shapes [][]int, format string, args ...any) *Error {
	return &Error{Rule: fmt.Sprintf(format, args...), Shapes: shapes}
}

// String writes a shape as "[2 3]".
func String(s []int) string {
	b := make([]byte, 0, 16)
	b = append(b, '[')
	for i, n := range s {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

// Size returns the number of elements: the product of the extents, 1 for a scalar.
func Size(s []int) int {
	n := 1
	for _, e := range s {
		n *= e
	}
	return n
}

// UpTo returns 0, 1, …, n-1, and nothing for a negative n.
func UpTo(n int) []int {
	list := make([]int, max(0, n))
	for i := range list {
		list[i] = i
	}
	return list
}

// MaxElements bounds the size of any tensor, so that byte counts fit an int64.
const MaxElements = 1 << 48

// Check returns an error for a negative extent or a size above [MaxElements].
func Check(s []int) error {
	_, err := Count(s)
	return err
}

// Count is [Size] with the error of [Check].
func Count(s []int) (int, error) {
	n, zero := uint64(1), false // without a division, as every tensor that is made comes here
	for _, e := range s {
		if e < 0 {
			return 0, Errorf([][]int{s}, "extents must not be negative")
		}
		high, low := bits.Mul64(n, uint64(max(e, 1)))
		if high != 0 || low > MaxElements {
			return 0, Errorf([][]int{s}, "tensor is too large")
		}
		n, zero = low, zero || e == 0
	}
	if zero {
		return 0, nil
	}
	return int(n), nil
}

// Strides returns the row-major strides in elements.
func Strides(s []int) []int {
	strides := make([]int, len(s))
	n := 1
	for i := len(s) - 1; i >= 0; i-- {
		strides[i] = n
		n *= max(s[i], 1)
	}
	return strides
}

// Equal reports whether two shapes have the same extents.
func Equal(a, b []int) bool { return slices.Equal(a, b) }
