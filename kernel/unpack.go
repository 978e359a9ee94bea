package kernel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

func init() { register[Unpack](8, "unpack") }

// Unpack writes the values of blocks of a packed format, f32, in the order in which they lie. Ports: 0 X, stored in
// blocks ([Port.Stored]), 1 Out, both dense.
type Unpack struct {
	Name   string
	X, Out Port
}

// unpackOperands are the names of the ports.
var unpackOperands = []string{"x", "out"}

// Ports implements [Kernel].
func (u *Unpack) Ports() []Port { return []Port{u.X, u.Out} }

// Blocks returns the number of blocks.
func (u *Unpack) Blocks() int { return u.X.Len / u.X.Format.Bytes() }

// String implements [Kernel].
func (u *Unpack) String() string {
	var p printer
	p.open("unpack %q", u.Name)
	return p.operands(unpackOperands, u.Ports())
}

func (u *Unpack) decode(d *decoder, it *item) { d.dense(it, unpackOperands, &u.X, &u.Out) }

func (u *Unpack) fields(c *wire.Coder) { portFields(c, &u.X, &u.Out) }

func (u *Unpack) named() *string { return &u.Name }

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
