package reference

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// number is one element: f if the type is floating, else i, sign-extended (a
// bool is 0 or 1).
type number struct {
	d dtype.DType
	f float64
	i int64
}

func floatOf(d dtype.DType, f float64) number {
	switch d {
	case dtype.F32:
		f = float64(float32(f))
	case dtype.F16:
		f = float64(dtype.ToFloat16(float32(f)).Float32())
	case dtype.BF16:
		f = float64(dtype.ToBFloat16(float32(f)).Float32())
	default:
		if d.IsFloat8() {
			f = d.Format().Round(f)
		}
	}
	return number{d: d, f: f}
}

func intOf(d dtype.DType, i int64) number {
	switch d.Bits() {
	case 1:
		i &= 1
	case 8:
		i = int64(int8(i))
	case 16:
		i = int64(int16(i))
	case 32:
		i = int64(int32(i))
	}
	return number{d: d, i: i}
}

func boolOf(b bool) number {
	if b {
		return number{d: dtype.Bool, i: 1}
	}
	return number{d: dtype.Bool}
}

// unsigned is the value of the bits without a sign.
func (x number) unsigned() uint64 {
	if bits := x.d.Bits(); bits < 64 {
		return uint64(x.i) & (1<<bits - 1)
	}
	return uint64(x.i)
}

// signed is the value with a sign: a bool of one is -1.
func (x number) signed() int64 {
	if x.d == dtype.Bool {
		return -x.i
	}
	return x.i
}

func (x number) bits() uint64 {
	switch x.d {
	case dtype.F64:
		return math.Float64bits(x.f)
	case dtype.F32:
		return uint64(math.Float32bits(float32(x.f)))
	case dtype.F16:
		return uint64(dtype.ToFloat16(float32(x.f)))
	case dtype.BF16:
		return uint64(dtype.ToBFloat16(float32(x.f)))
	}
	if x.d.IsFloat8() {
		return x.d.Format().Encode(x.f)
	}
	return x.unsigned()
}

func fromBits(d dtype.DType, bits uint64) number {
	switch d {
	case dtype.F64:
		return number{d: d, f: math.Float64frombits(bits)}
	case dtype.F32:
		return number{d: d, f: float64(math.Float32frombits(uint32(bits)))}
	case dtype.F16:
		return number{d: d, f: float64(dtype.Float16(bits).Float32())}
	case dtype.BF16:
		return number{d: d, f: float64(dtype.BFloat16(bits).Float32())}
	}
	if d.IsFloat8() {
		return number{d: d, f: d.Format().Decode(bits)}
	}
	return intOf(d, int64(bits))
}

// as converts to a type, to which an integer is extended with zeros or with its sign.
func (x number) as(d dtype.DType, unsigned bool) number {
	switch {
	case x.d.IsFloat():
		return floatOf(d, x.f)
	case d.IsFloat() && unsigned:
		return floatOf(d, float64(x.unsigned()))
	case d.IsFloat():
		return floatOf(d, float64(x.signed()))
	case unsigned:
		return intOf(d, int64(x.unsigned()))
	}
	return intOf(d, x.signed())
}

// load reads element i of a buffer as a number of type d, which has the size of
// the buffer's type.
func load(b *buf.Buffer, i int, d dtype.DType) number {
	switch {
	case d.IsFloat8() && !b.DType.IsFloat(): // held as bits
		return fromBits(d, uint64(b.Int64(i))&0xff)
	case d.IsFloat():
		return number{d: d, f: b.Float64(i)}
	case d == dtype.Bool:
		return number{d: d, i: b.Int64(i) & 1}
	}
	return intOf(d, b.Int64(i))
}

func store(b *buf.Buffer, i int, x number) {
	if b.DType.IsFloat() {
		b.SetFloat64(i, x.f)
		return
	}
	b.SetInt64(i, x.i)
}
