package vector

import "github.com/go-acap/acap/base/dtype"

// Element returns the kind of the lanes that elements of a type are computed in, and what they are in memory. A bool is a
// byte there.
func Element(t dtype.DType) (Kind, Mem) {
	switch t {
	case dtype.F64:
		return F64, Same
	case dtype.I64:
		return I64, Same
	case dtype.F16:
		return F32, Half
	case dtype.BF16:
		return F32, Brain
	case dtype.F32:
		return F32, Same
	case dtype.Bool, dtype.U8:
		return I32, U8
	case dtype.I8:
		return I32, S8
	case dtype.I16:
		return I32, S16
	}
	return I32, Same
}
