package epilogue

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Sums of bytes leave a quantized product as f32, and often go on as bytes: (f32(sum)·s + t)
// rounded, clamped and stored as u8. Such an epilogue computes in f32 between a conversion of the
// accumulators and one at the store.

// restores reports whether a body reads sums in i32 only to convert them to f32.
func restores(body kernel.Body, acc dtype.DType) bool {
	if acc != dtype.I32 {
		return false
	}
	reads := false
	for _, in := range body {
		for _, o := range operands(in) {
			if body[o].Op != kernel.Input {
				continue
			}
			if reads = true; in.Op != kernel.Cast || in.Type != dtype.F32 {
				return false
			}
		}
	}
	return reads
}

// asSingle returns a body that [restores] with sums that are f32 already.
func asSingle(body kernel.Body) kernel.Body {
	out := append(kernel.Body(nil), body...)
	for i := range out {
		if out[i].Op == kernel.Input {
			out[i].Type = dtype.F32
		}
	}
	return out
}

// isByte reports whether t is an integer of eight bits.
func isByte(t dtype.DType) bool { return t == dtype.I8 || t == dtype.U8 }

// toByte reports whether a conversion is a link between a number of f32 that is known to lie between
// -128 and 255, so that its integer part has the byte that all roads end at, and stores of bytes.
func (e *Epilogue) toByte(cast int) bool {
	if e.acc != dtype.F32 || e.features.Level < cpu.AVX512 || !e.body[cast].Type.IsInt() {
		return false
	}
	for i, user := range e.body {
		for _, o := range operands(user) {
			if o == cast && !(user.Op == kernel.Store && isByte(e.body[cast].Type) ||
				user.Op == kernel.Cast && user.Type.IsInt() && e.toByte(i)) {
				return false
			}
		}
	}
	from := e.body[cast].A
	for e.body[from].Op == kernel.Cast && e.body[from].Type.IsInt() {
		from = e.body[from].A
	}
	low, high := e.body.Bounds(from)
	return e.body[from].Type == dtype.F32 && low >= math.MinInt8 && high <= math.MaxUint8
}

// fromByte reports whether a conversion is a link between a load of bytes and a number of f32. The
// load has the number already: the bytes are read as the conversions say.
func (e *Epilogue) fromByte(link int) bool {
	in := e.body[link]
	if e.acc != dtype.F32 || e.features.Level < cpu.AVX512 || in.Op != kernel.Cast && in.Op != kernel.Bitcast {
		return false
	}
	from := e.body[in.A]
	if in.Op == kernel.Bitcast {
		return from.Op == kernel.Load && isByte(from.Type) && isByte(in.Type) && e.users(in.A) == 1
	}
	if in.Type != dtype.F32 && (!in.Type.IsInt() || in.Type.Size() < 4) {
		return false
	}
	return from.Op == kernel.Load && isByte(from.Type) ||
		(from.Op == kernel.Cast || from.Op == kernel.Bitcast) && from.Type.IsInt() && e.fromByte(in.A)
}

// users counts how often a value is read.
func (e *Epilogue) users(v int) (n int) {
	for _, user := range e.body {
		for _, o := range operands(user) {
			if o == v {
				n++
			}
		}
	}
	return n
}

// loadByte loads bytes as f32.
func (em *emitter) loadByte(d asm.Reg, m asm.Mem, load int) {
	t := em.body[load].Type
	for _, user := range em.body {
		if user.Op == kernel.Bitcast && user.A == load {
			t = user.Type
		}
	}
	extend := asm.VPMOVSXBD
	if t == dtype.U8 {
		extend = asm.VPMOVZXBD
	}
	to := d
	if em.masked {
		to = d.ZeroMask(em.t.Mask)
	}
	em.a.Emit(extend, to, m)
	em.a.Emit(asm.VCVTDQ2PS, d, d)
}

// storeByte stores the integer parts of r as bytes.
func (em *emitter) storeByte(m asm.Mem, r asm.Reg) {
	whole := em.take()
	em.a.Emit(asm.VCVTTPS2DQ, whole, r)
	em.a.Emit(asm.VPMOVDB, m, whole)
	em.release(whole)
}
