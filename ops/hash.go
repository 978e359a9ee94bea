package ops

import "math/bits"

// hashText is FNV-1a: stable between processes.
func hashText(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// Mix folds v into h so that every bit of both affects the result (a 128-bit
// multiply folded to 64 bits, as in wyhash).
func Mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, v^0xe7037ed1a0b428db)
	return hi ^ lo
}

// Hash folds the argument into h, tensors excepted: their place in the program
// is for the caller to add.
func (a *Arg) Hash(h uint64) uint64 {
	h = Mix(h, uint64(a.Kind)+1)
	switch a.Kind {
	case KindInt, KindFloat, KindBool, KindDType:
		return Mix(h, a.bits)
	case KindComplex:
		v := ComplexArg(a.Complex())
		re, im := FloatArg(real(v.Complex())), FloatArg(imag(v.Complex()))
		return Mix(Mix(h, re.bits), im.bits)
	case KindInts:
		for _, v := range a.Ints() {
			h = Mix(h, uint64(v))
		}
		return Mix(h, uint64(len(a.Ints())))
	case KindFloats:
		for _, v := range a.Floats() {
			f := FloatArg(v)
			h = Mix(h, f.bits)
		}
		return Mix(h, uint64(len(a.Floats())))
	case KindBools:
		for _, v := range a.Bools() {
			b := BoolArg(v)
			h = Mix(h, b.bits)
		}
		return Mix(h, uint64(len(a.Bools())))
	case KindString:
		return Mix(h, hashText(a.Text()))
	case KindTensors:
		return Mix(h, uint64(len(a.Tensors())))
	}
	return h
}
