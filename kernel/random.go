package kernel

import (
	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Random](7, "random") }

// Random fills Out with the bits of Philox4x32-10: element i is word i mod 4 of the
// block with the key Key and the counter whose low 64 bits are Counter and whose high
// 64 bits are i div 4. Ports: 0 Key, 1 Counter (i64 of one element), 2 Out (i32).
type Random struct {
	Name              string
	Key, Counter, Out Port
}

// Ports implements [Kernel].
func (r *Random) Ports() []Port { return []Port{r.Key, r.Counter, r.Out} }

func (r *Random) verify(v *verifier) {
	v.dense("key", r.Key, 1, false)
	v.dense("counter", r.Counter, 1, false)
	v.dense("out", r.Out, r.Out.Len, true)
	if r.Key.DType != dtype.I64 || r.Counter.DType != dtype.I64 || r.Out.DType != dtype.I32 {
		v.fail("random %s of key %s and counter %s", r.Out.DType, r.Key.DType, r.Counter.DType)
	}
}

// String implements [Kernel].
func (r *Random) String() string { return text(r) }
func (r *Random) named() *string { return &r.Name }

func (r *Random) form(f *form) {
	f.operand("key", r.Key.form)
	f.operand("counter", r.Counter.form)
	f.operand("out", r.Out.form)
}

// Account implements [Kernel]: two operations of each round for each word.
func (r *Random) Account() Account {
	return wholes("random", int64(r.Out.Len)*PhiloxRounds*2, r.Ports())
}
