package torchscript

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// PyTorch conjugates and negates without a copy: x.conj() shares the memory of x and has a bit that says so, and so has
// its imaginary part. Pickles keep the bits beside a tensor, {"conj": True, "neg": True}, of elements that are still
// without. The tables of torch.export keep no bits.

// withBits applies the bits that a pickle has for a tensor. The memory may be other tensors' memory, too.
func (o *objects) withBits(b *buf.Buffer, call *pickle.Object) *buf.Buffer {
	var bits *dict
	for _, arg := range call.Args[min(6, len(call.Args)):] {
		if d, ok := o.value(arg, call.Offset).(*dict); ok {
			bits = d
		}
	}
	if bits == nil {
		return b
	}
	set := func(name string) bool {
		v, given := bits.get(name)
		on, isBool := v.(bool)
		if given && !isBool {
			o.fail(call.Offset, "the bit %s of a tensor is a %s", name, kindOf(v))
		}
		return on
	}
	for _, k := range bits.keys {
		if k != value("conj") && k != value("neg") {
			o.fail(call.Offset, "a tensor has %s beside its elements, which is not known", text(k))
		}
	}
	conj, neg := set("conj"), set("neg")
	if conj && !b.DType.IsComplex() {
		o.fail(call.Offset, "a tensor of %v is to be conjugated", b.DType)
	}
	if !conj && !neg {
		return b
	}
	if *o.storages.copies -= len(b.Bytes()); *o.storages.copies < 0 {
		o.wrap(call.Offset, fmt.Errorf("a tensor of %d bytes is one copy too many of elements that the file has once", len(b.Bytes())))
	}
	return resolved(b, conj, neg)
}

// resolved returns a copy that is conjugated and negated.
func resolved(b *buf.Buffer, conj, neg bool) *buf.Buffer {
	out := buf.New(b.DType, b.Shape)
	for i := range b.Len() {
		z := b.Complex(i)
		if conj {
			z = complex(real(z), -imag(z))
		}
		if neg {
			z = -z
		}
		switch {
		case b.DType.IsComplex():
			out.SetComplex(i, z)
		case b.DType.IsInt():
			out.SetInt64(i, -b.Int64(i))
		default:
			out.SetFloat64(i, real(z))
		}
	}
	return out
}

// refuseLostBits refuses to resolve the bits of a tensor of the file whose bits the file does not keep: the program was
// exported for a tensor that had one, which even PyTorch reads back as another.
func (ev *evaluator) refuseLostBits(at script.Position, name string, args arguments) {
	t, ok := args.at(0).(*tensor)
	if !ok || t.parameter == nil || !t.parameter.bare {
		return
	}
	d := t.parameter.Data.DType
	if name == "resolve_conj" && d.IsComplex() || name == "resolve_neg" {
		failAt(at, "%s of %s: torch.export does not save whether a tensor is to be conjugated or negated: give the module "+
			"%s.resolve_conj().resolve_neg() before it is exported", name, t.parameter.Name, t.parameter.Name)
	}
}
