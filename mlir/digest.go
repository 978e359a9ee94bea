package mlir

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
)

// Digest tells operations apart by everything but their locations and the names of values.
type Digest [sha256.Size]byte

// DigestOf returns the digest of an operation with all that is in it: names, operands by what
// defines them, attributes with the data of constants, types and regions. The name of the
// operation as a symbol does not count. A context makes equal operations differ.
func DigestOf(root *Operation, context string) Digest {
	d := &digester{h: sha256.New(), values: map[*Value]int{}, blocks: map[*Block]int{}}
	d.text(context)
	root.Walk(func(op *Operation) {
		d.text(op.Name)
		d.uses(op.Operands)
		for _, a := range op.Attrs {
			if op != root || a.Name != "sym_name" {
				d.text(a.Name)
				d.attribute(a.Value)
			}
		}
		for _, v := range op.Results {
			d.define(v)
		}
		for _, s := range op.Successors {
			d.number(d.block(s.Block))
			d.uses(s.Args)
		}
		for _, r := range op.Regions {
			d.number(len(r.Blocks))
			for _, b := range r.Blocks {
				d.number(d.block(b))
				d.number(len(b.Ops))
				for _, v := range b.Args {
					d.define(v)
				}
			}
		}
	})
	return Digest(d.h.Sum(nil))
}

type digester struct {
	h      hash.Hash
	values map[*Value]int
	blocks map[*Block]int
}

func (d *digester) number(n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	d.h.Write(b[:])
}

func (d *digester) text(s string) {
	d.number(len(s))
	io.WriteString(d.h, s) // a hash takes everything
}

func (d *digester) define(v *Value) {
	d.valueNumber(v)
	d.text(v.Type.String())
}

func (d *digester) valueNumber(v *Value) int {
	n, ok := d.values[v]
	if !ok {
		n = len(d.values)
		d.values[v] = n
	}
	return n
}

func (d *digester) block(b *Block) int {
	n, ok := d.blocks[b]
	if !ok {
		n = len(d.blocks)
		d.blocks[b] = n
	}
	return n
}

func (d *digester) uses(values []*Value) {
	d.number(len(values))
	for _, v := range values {
		d.number(d.valueNumber(v))
	}
}

func (d *digester) attribute(a Attribute) {
	switch a := a.(type) {
	case DenseAttr:
		d.data(a.Type, a.Data)
	case ResourceAttr:
		d.data(a.Type, a.Data)
	default:
		d.text(a.String())
	}
}

func (d *digester) data(t Type, data []byte) {
	d.text(t.String())
	d.number(len(data))
	d.h.Write(data)
}
