package kernel

import (
	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Unpack](8, "unpack") }

// Unpack writes the values of blocks of a packed format, f32, in the order in which they lie. Ports: 0 X, stored in
// blocks ([Port.Stored]), 1 Out, both dense.
type Unpack struct {
	Name   string
	X, Out Port
}

// Ports implements [Kernel].
func (u *Unpack) Ports() []Port { return []Port{u.X, u.Out} }

// Blocks returns the number of blocks.
func (u *Unpack) Blocks() int { return u.X.Len / u.X.Format.Bytes() }

// String implements [Kernel].
func (u *Unpack) String() string { return text(u) }
func (u *Unpack) named() *string { return &u.Name }

func (u *Unpack) form(f *form) {
	f.operand("x", u.X.form)
	f.operand("out", u.Out.form)
}

// Account implements [Kernel]: one operation for each value.
func (u *Unpack) Account() Account { return wholes("move", int64(u.Out.Len), u.Ports()) }

func (u *Unpack) verify(v *verifier) {
	f := u.X.Format
	if !u.X.Stored() || u.X.Len%f.Bytes() != 0 || u.Out.DType != dtype.F32 {
		v.fail("unpacks %d bytes of format %q into %s", u.X.Len, f, u.Out.DType)
		return
	}
	v.dense("x", u.X, u.X.Len, false)
	v.dense("out", u.Out, u.Blocks()*f.Block(), true)
}
