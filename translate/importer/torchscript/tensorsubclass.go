package torchscript

import (
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// decompose is the way out where a tensor of a Python class would have to compute.
const decompose = "call run_decompositions() on the program before it is saved, which leaves plain tensors"

// tensorSubclass is a tensor of a Python class that holds other tensors, as torchao's quantized weights are: in a
// file, a call of _rebuild_from_type_v2(_rebuild_wrapper_subclass, class, arguments, attributes). An exported program
// names the tensors that it reads from it.
type tensorSubclass struct {
	class  string
	names  []string // of attributes that are tensors
	values []value  // parameters and subclasses
}

// subclass reads a tensor of a Python class. Attributes that are no tensors say how it was made, which the program
// knows.
func (o *objects) subclass(call *pickle.Object) value {
	if len(call.Args) != 4 {
		o.fail(call.Offset, "a tensor of a Python class needs 4 arguments, got %d", len(call.Args))
	}
	class, ok1 := call.Args[1].(*pickle.Global)
	state, ok2 := call.Args[3].(*pickle.Dict)
	if f, ok := call.Args[0].(*pickle.Global); !ok || !ok1 || !ok2 || f.String() != "torch._utils._rebuild_wrapper_subclass" {
		o.fail(call.Offset, "the file holds a tensor of the Python class %v: "+decompose, call.Args[1])
	}
	w := &tensorSubclass{class: class.String()}
	o.memo[call] = w
	for _, e := range state.Entries {
		name, ok1 := e.Key.(string)
		made, ok2 := e.Value.(*pickle.Object)
		if !ok1 || !ok2 {
			continue
		}
		if f, ok := made.Callee.(*pickle.Global); !ok || !strings.HasPrefix(f.Name, "_rebuild_") {
			continue
		}
		switch v := o.value(made, made.Offset).(type) {
		case *Parameter, *tensorSubclass:
			w.names, w.values = append(w.names, name), append(w.values, v)
		}
	}
	return w
}

// innerTensor returns a tensor that a tensor of a Python class holds.
func (ev *evaluator) innerTensor(at script.Position, of, name value) value {
	w, ok := of.(*tensorSubclass)
	if !ok {
		failAt(at, "the attribute %s of a %s, which is no tensor of a Python class", text(name), kindOf(of))
	}
	for i, n := range w.names {
		if n == name {
			return ev.own(w.values[i])
		}
	}
	failAt(at, "a tensor of the class %s has no tensor %s: it has %s", w.class, text(name), strings.Join(w.names, ", "))
	return nil
}
