package engine

import "github.com/go-acap/acap/base/dtype"

// packed returns the format of a tensor whose values were rounded to blocks along a loop that
// contracts it, as _to_bfp16 and _to_q4 do along the last dimension. A device may keep such a tensor
// packed.
func (a *access) packed(loop int) dtype.Format {
	if a.t.dtype != dtype.BF16 || a.strides[loop] != 1 || len(a.t.writers) != 1 {
		return dtype.Plain
	}
	by := origin{a.t.writers[0].op.Name, a.t.writers[0].op.Loc}
	for _, f := range dtype.Formats() {
		if by.operator() == "_to_"+f.String() && a.aligned(loop, f.Block()) {
			return f
		}
	}
	return dtype.Plain
}

// aligned reports whether a loop starts at whole blocks wherever the others are.
func (a *access) aligned(loop, block int) bool {
	for l, stride := range a.strides {
		if l != loop && stride%block != 0 {
			return false
		}
	}
	return a.offset%block == 0
}
