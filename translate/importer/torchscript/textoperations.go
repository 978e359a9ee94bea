package torchscript

import (
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer"
)

// textOperations are the operations that are no operators.
var textOperations map[string]func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value

func init() { // they refer to the table through the run
	same := func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value { return in[:1] }
	constant := func(_ *textRun, _ script.Position, op *mlir.Operation, _ []value) []value {
		switch a := op.Attrs.Get("value").(type) {
		case mlir.IntegerAttr:
			if mlir.SameType(a.Type, mlir.I1) {
				return []value{a.Value != 0}
			}
			return []value{int(a.Value)}
		case mlir.FloatAttr:
			return []value{a.Value}
		case mlir.StringAttr:
			if op.Name == "torch.constant.device" {
				return []value{device(a)}
			}
			return []value{string(a)}
		}
		return []value{nil}
	}
	textOperations = map[string]func(*textRun, script.Position, *mlir.Operation, []value) []value{
		"torch.vtensor.literal": (*textRun).literal, "torch.tensor.literal": (*textRun).literal,
		"torch.prim.ListConstruct": func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value {
			return []value{&list{items: in}}
		},
		"torch.prim.TupleConstruct": func(_ *textRun, _ script.Position, _ *mlir.Operation, in []value) []value {
			return []value{&tuple{items: in}}
		},
		"torch.prim.DictConstruct": func(_ *textRun, at script.Position, _ *mlir.Operation, in []value) []value {
			d := newDict()
			for i, key := range in[:len(in)/2] {
				if !isKey(key) {
					failAt(at, "a %s is no key of a dict", kindOf(key))
				}
				d.set(key, in[len(in)/2+i])
			}
			return []value{d}
		},
		"torch.prim.ListUnpack": partsOf, "torch.prim.TupleUnpack": partsOf,
		"torch.shape.calculate": (*textRun).body, "torch.dtype.calculate": (*textRun).body,
		"torch.prim.If": (*textRun).branch, "torch.prim.Loop": (*textRun).loop,
		"torch.derefine": same, "torch.tensor_static_info_cast": same,
		"torch.copy.to_vtensor": (*textRun).copied, "torch.copy.to_tensor": (*textRun).copied,
		"torch.overwrite.tensor.contents": func(r *textRun, at script.Position, _ *mlir.Operation, in []value) []value {
			r.ev.store(at, in[1].(*tensor), in[0].(*tensor))
			return nil
		},
		"torch.runtime.assert": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			if !r.ev.truth(at, in[0]) {
				failAt(at, "the inputs do not hold what the program asserts: %s", op.Attrs.Get("message"))
			}
			return nil
		},
		"torch.symbolic_int": func(*textRun, script.Position, *mlir.Operation, []value) []value { return []value{unset{}} },
		"torch.bind_symbolic_shape": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			if x, ok := in[0].(*tensor); ok {
				r.bindShape(at, op, x.typeOf().Shape)
			}
			return nil
		},
		"torch.global_slot.get": func(r *textRun, at script.Position, op *mlir.Operation, _ []value) []value {
			name := op.Attrs.Get("slot").(mlir.SymbolRefAttr)
			v, ok := r.globals[strings.Join(name, "::")]
			if !ok {
				failAt(at, "%s has no value yet", name)
			}
			return []value{v}
		},
		"torch.global_slot.set": func(r *textRun, _ script.Position, op *mlir.Operation, in []value) []value {
			r.globals[strings.Join(op.Attrs.Get("slot").(mlir.SymbolRefAttr), "::")] = in[0]
			return nil
		},
		"func.call": func(r *textRun, at script.Position, op *mlir.Operation, in []value) []value {
			callee, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
			f := r.text.module.Func(strings.Join(callee, "::"))
			if f == nil {
				failAt(at, "there is no function %s", callee)
			}
			return r.call(at, f, in)
		},
	}
	for _, kind := range []string{"int", "float", "bool", "str", "none", "device", "number"} {
		textOperations["torch.constant."+kind] = constant
	}
}

func (r *textRun) literal(at script.Position, op *mlir.Operation, _ []value) []value {
	b, err := importer.Elements(op.Attrs.Get("value"))
	if err != nil {
		r.ev.fail(at, err)
	}
	p := &Parameter{Data: b}
	if a, ok := op.Attrs.Get("value").(mlir.ResourceAttr); ok {
		p.Name = a.Key
	}
	return []value{&tensor{parameter: p}}
}

func partsOf(_ *textRun, at script.Position, op *mlir.Operation, in []value) []value {
	items := itemsOf(in[0])
	if len(items) != len(op.Results) {
		failAt(at, "%d names for %d items", len(op.Results), len(items))
	}
	return items
}

// copied is a tensor of its own that holds what another holds now.
func (r *textRun) copied(at script.Position, _ *mlir.Operation, in []value) []value {
	x, ok := in[0].(*tensor)
	if !ok {
		failAt(at, "a %s is no tensor", kindOf(in[0]))
	}
	return []value{r.ev.newTensor(r.ev.current(at, x))}
}

func (r *textRun) branch(at script.Position, op *mlir.Operation, in []value) []value {
	side := op.Regions[1]
	if r.ev.truth(at, in[0]) {
		side = op.Regions[0]
	}
	return r.region(at, side)
}

// body runs the first region; the second says what torch-mlir knows of its results.
func (r *textRun) body(at script.Position, op *mlir.Operation, _ []value) []value {
	return r.region(at, op.Regions[0])
}

func (r *textRun) loop(at script.Position, op *mlir.Operation, in []value) []value {
	trips, goes, carried := r.ev.intOf(at, in[0]), r.ev.truth(at, in[1]), in[2:]
	for i := 0; i < trips && goes; i++ {
		r.ev.charge(at, 1)
		out := r.region(at, op.Regions[0], append([]value{i}, carried...)...)
		goes, carried = r.ev.truth(at, out[0]), out[1:]
	}
	return carried
}
