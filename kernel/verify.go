package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// Verify checks that a kernel means something: types, numbers of instructions and ports, and that every affine access
// stays within its port. Back ends rely on it for the safety of memory. [LoadAt] is checked as it runs.
func Verify(k Kernel) error {
	var v verifier
	k.verify(&v)
	if v.err != nil {
		return fmt.Errorf("kernel %q: %w", NameOf(k), v.err)
	}
	return nil
}

// verifier keeps the first error.
type verifier struct{ err error }

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// maxExtent bounds extents, strides and offsets, so that no address overflows.
const maxExtent = 1 << 48

// maxLoops bounds the loops of a kernel, maxBody the instructions of a body.
const (
	maxLoops = 64
	maxBody  = 1 << 16
)

func (v *verifier) extents(what string, extents ...int) {
	if len(extents) > maxLoops {
		v.fail("%d loops are too many", len(extents))
	}
	points := uint64(1)
	for _, e := range extents {
		if e < 0 || e > maxExtent {
			v.fail("%s: extent %d", what, e)
			return
		}
		hi, lo := bits.Mul64(points, uint64(max(e, 1)))
		if hi != 0 || lo > maxExtent {
			v.fail("%s: too many points", what)
			return
		}
		points = lo
	}
}

func (v *verifier) port(what string, p Port) {
	if !p.DType.Valid() || p.DType.IsComplex() {
		v.fail("%s: element type %s", what, p.DType)
	}
	if p.Len < 0 || p.Len > maxExtent {
		v.fail("%s: length %d", what, p.Len)
	}
	if p.Const && p.Write {
		v.fail("%s: constant and written", what)
	}
	switch {
	case p.Format == dtype.Plain:
	case p.Stored():
		if p.Write || p.DType != dtype.U8 {
			v.fail("%s: blocks of %v, and not u8 that is read", what, p.Format)
		}
	case p.Format == dtype.Sparse24:
		if p.Write || !p.Const || p.DType.Size() > 2 {
			v.fail("%s: %v, and no constant of 8 or 16 bits", what, p.Format)
		}
	case p.Write || p.DType != dtype.BF16 || !slices.Contains(dtype.Formats(), p.Format):
		v.fail("%s: packed, and not bf16 that is read", what)
	}
}

// bounds checks that offset plus any combination of index and stride is inside
// a port. With no points at all nothing is accessed.
func (v *verifier) bounds(what string, p Port, offset int, extents, strides []int) {
	if len(extents) != len(strides) {
		v.fail("%s: %d strides for %d loops", what, len(strides), len(extents))
		return
	}
	lo, hi := float64(offset), float64(offset)
	for i, e := range extents {
		if e == 0 {
			return
		}
		if abs(strides[i]) > maxExtent || strides[i] == math.MinInt {
			v.fail("%s: stride %d", what, strides[i])
			return
		}
		// float64 loses no more than the last bits of numbers beyond 2⁵³, which are far outside any port.
		if reach := float64(strides[i]) * float64(e-1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	if lo < 0 || hi >= float64(p.Len) {
		v.fail("%s: elements %.0f to %.0f of a port of %d", what, lo, hi, p.Len)
	}
}

// operand checks that number o is an instruction before n that has a value.
func (v *verifier) operand(what string, b Body, o, n int) {
	if wrong := b.operand(o, n); wrong != "" {
		v.fail("%s: %s", what, wrong)
	}
}

// operand returns what is wrong with number o as an operand of instruction n, if anything is.
func (b Body) operand(o, n int) string {
	switch {
	case o < 0 || o >= n:
		return fmt.Sprintf("operand %%%d", o)
	case b[o].Op == Store:
		return fmt.Sprintf("operand %%%d has no value", o)
	}
	return ""
}
