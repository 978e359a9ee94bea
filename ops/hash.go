package ops

import (
	"math"
	"math/bits"
)

// Hash is a 128-bit hash, stable between processes. It is no array, because Go keeps those
// in memory and not in registers.
type Hash struct{ Lo, Hi uint64 }

// Mix folds a number into h.
func (h Hash) Mix(v uint64) Hash { return h.Join(Hash{v, v ^ 0x5bd1e9955bd1e995}) }

// Join folds another hash into h.
func (h Hash) Join(v Hash) Hash { return Hash{mix(h.Lo, v.Lo), mix(h.Hi, v.Hi)} }

// Text folds a text into h.
func (h Hash) Text(s string) Hash { return h.Mix(hashText(s)).Mix(uint64(len(s))) }

// mix folds v into h so that every bit of both affects the result (a 128-bit
// multiply folded to 64 bits, as in wyhash).
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, v^0xe7037ed1a0b428db)
	return hi ^ lo
}

// hashText is FNV-1a: stable between processes.
func hashText(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// Hash folds the type into h.
func (t TensorType) Hash(h Hash) Hash {
	h = h.Mix(uint64(t.DType)<<8 | uint64(len(t.Shape)))
	for _, n := range t.Shape {
		h = h.Mix(uint64(n))
	}
	return h
}

// Hash folds the argument into h. Of tensors only whether there is one counts: their
// place in the program is for the caller to add.
func (a *Arg) Hash(h Hash) Hash {
	h = h.Mix(uint64(a.Kind) + 1)
	if a.Open() != nil {
		return h.Mix(1)
	}
	switch a.Kind {
	case KindInt, KindFloat, KindBool, KindDType:
		return h.Mix(a.bits)
	case KindComplex:
		v := a.Complex()
		return h.Mix(math.Float64bits(real(v))).Mix(math.Float64bits(imag(v)))
	case KindInts:
		return hashList(h, a.Ints(), func(v int) uint64 { return uint64(v) })
	case KindFloats:
		return hashList(h, a.Floats(), math.Float64bits)
	case KindBools:
		return hashList(h, a.Bools(), bit)
	case KindString:
		return h.Text(a.Text())
	case KindTensors:
		return hashList(h, a.Tensors(), func(v Value) uint64 { return bit(v != nil) })
	}
	return h
}

func hashList[T any](h Hash, list []T, number func(T) uint64) Hash {
	for _, v := range list {
		h = h.Mix(number(v))
	}
	return h.Mix(uint64(len(list)))
}

// bit is 1 for true.
func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
