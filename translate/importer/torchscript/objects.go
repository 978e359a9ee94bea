package torchscript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// maxObjectDepth bounds the nesting of a model's objects.
const maxObjectDepth = 2000

// objects turns the tree of a pickle into values. It knows what PyTorch writes and refuses the
// rest.
type objects struct {
	member   string // the pickle's name, for messages
	library  *library
	storages *storages
	memo     map[pickle.Value]value // of nodes that have an identity
	depth    int
}

func (o *objects) fail(offset int, format string, args ...any) {
	panic(fault{fmt.Errorf("%s: byte %d: %s", o.member, offset, fmt.Sprintf(format, args...))})
}

// wrap reports an error on the way of a node; one in the code has a position of its own.
func (o *objects) wrap(offset int, err error) {
	if syntax := (*script.Error)(nil); errors.As(err, &syntax) {
		panic(fault{err})
	}
	o.fail(offset, "%v", err)
}

// read loads one pickle of an archive.
func (o *objects) read(a *archive) value {
	data, err := a.read(o.member, maxText)
	if err != nil {
		panic(fault{err})
	}
	tree, err := pickle.Read(data, pickle.Limits{})
	if err != nil {
		panic(fault{fmt.Errorf("%s: %w", o.member, err)})
	}
	return o.value(tree, 0)
}

// value converts a node; offset is where its surroundings are, for messages.
func (o *objects) value(v pickle.Value, offset int) value {
	switch v := v.(type) {
	case nil, bool, float64, string:
		return v
	case int64:
		return int(v)
	case pickle.Bytes:
		return string(v)
	}
	switch v.(type) {
	case *pickle.Tuple, *pickle.List, *pickle.Dict, *pickle.Object, *pickle.Global:
	default:
		o.fail(offset, "%s is not supported", pickle.Kind(v))
	}
	if done, ok := o.memo[v]; ok {
		if done == nil {
			o.fail(offset, "%s contains itself", pickle.Kind(v))
		}
		return done
	}
	if o.depth++; o.depth > maxObjectDepth {
		o.fail(offset, "objects are nested more than %d deep", maxObjectDepth)
	}
	defer func() { o.depth-- }()
	o.memo[v] = nil
	converted := o.node(v, offset)
	o.memo[v] = converted
	return converted
}

func (o *objects) node(v pickle.Value, offset int) value {
	switch v := v.(type) {
	case *pickle.Tuple:
		return &tuple{items: o.values(v.Items, offset)}
	case *pickle.List:
		l := &list{}
		o.memo[v] = l
		l.items = o.values(v.Items, offset)
		return l
	case *pickle.Dict:
		d := newDict()
		o.memo[v] = d
		o.fill(d, v.Entries, offset)
		return d
	case *pickle.Global:
		return o.global(v)
	}
	return o.object(v.(*pickle.Object))
}

func (o *objects) values(items []pickle.Value, offset int) []value {
	out := make([]value, len(items))
	for i, item := range items {
		out[i] = o.value(item, offset)
	}
	return out
}

func (o *objects) fill(d *dict, entries []pickle.Entry, offset int) {
	for _, e := range entries {
		key := o.value(e.Key, offset)
		if !isKey(key) {
			o.fail(offset, "%s is the key of a dict", kindOf(key))
		}
		d.set(key, o.value(e.Value, offset))
	}
}

// global converts a name that stands alone: a class or an element type.
func (o *objects) global(g *pickle.Global) value {
	if g.Module == "torch" {
		if d, err := dtype.Parse(g.Name); err == nil {
			return d.TorchCode()
		}
	}
	if isScriptName(g.Module) {
		c, err := o.library.class(g.String())
		if err != nil {
			o.wrap(g.Offset, err)
		}
		return c
	}
	o.fail(g.Offset, "the global %s has no meaning in a model", g)
	return nil
}

// isScriptName reports whether a module's name is one of TorchScript's own.
func isScriptName(module string) bool {
	return module == "__torch__" || strings.HasPrefix(module, "__torch__.")
}

// object converts a call.
func (o *objects) object(call *pickle.Object) value {
	g, ok := call.Callee.(*pickle.Global)
	if !ok {
		o.fail(call.Offset, "%s is called", pickle.Kind(call.Callee))
	}
	if g.Module == "__torch__.torch.classes.quantized" {
		return o.packedParameters(call, g)
	}
	if g.Module == "__torch__.torch.classes.rnn" {
		return o.cellParameters(call, g)
	}
	if g.Module == "__torch__.torch.classes.xnnpack" {
		return o.prepacked(call, g)
	}
	if isScriptName(g.Module) {
		return o.instance(call, g)
	}
	if make := makers[g.String()]; make != nil {
		return make(o, call)
	}
	switch {
	case strings.HasPrefix(g.Module, "torch.nn."), g.Module == "__main__":
		o.fail(g.Offset, "the file holds a Python object of class %s: "+
			"save the model by torch.jit.save instead of torch.save", g)
	case strings.Contains(g.Name, "sparse"):
		o.fail(g.Offset, "sparse tensors (%s) are not supported", g)
	}
	o.fail(g.Offset, "%s is not among the functions that a model's file may name", g)
	return nil
}

// makers are the functions of Python and PyTorch that occur in files.
var makers map[string]func(o *objects, call *pickle.Object) value

func init() { // the functions refer to makers through o.value
	argument := func(o *objects, call *pickle.Object) value {
		if len(call.Args) == 0 {
			o.fail(call.Offset, "%s lacks its argument", pickle.Kind(call))
		}
		return o.value(call.Args[0], call.Offset)
	}
	makers = map[string]func(o *objects, call *pickle.Object) value{
		"collections.OrderedDict":                    (*objects).orderedDict,
		"torch._utils._rebuild_tensor":               (*objects).tensor,
		"torch._utils._rebuild_tensor_v2":            (*objects).tensor,
		"torch._utils._rebuild_tensor_v3":            (*objects).tensor,
		"torch._utils._rebuild_qtensor":              (*objects).quantizedTensor,
		"torch._tensor._rebuild_from_type_v2":        (*objects).subclass,
		"torch._utils._rebuild_parameter":            argument,
		"torch._utils._rebuild_parameter_with_state": argument,
		"torch.jit._pickle.build_intlist":            argument,
		"torch.jit._pickle.build_doublelist":         argument,
		"torch.jit._pickle.build_boollist":           argument,
		"torch.jit._pickle.build_tensorlist":         argument,
		"torch.jit._pickle.restore_type_tag":         argument,
		"torch.Size":                                 argument,
		"_codecs.encode":                             argument,
		"torch.device":                               (*objects).device,
		"builtins.complex":                           (*objects).complex,
		"__builtin__.complex":                        (*objects).complex,
	}
}

func (o *objects) orderedDict(call *pickle.Object) value {
	d := newDict()
	o.memo[call] = d
	if len(call.Args) > 0 { // a list of pairs
		pairs, _ := o.value(call.Args[0], call.Offset).(*list)
		if pairs == nil {
			o.fail(call.Offset, "OrderedDict of %s", pickle.Kind(call.Args[0]))
		}
		for _, item := range pairs.items {
			pair := itemsOf(item)
			if len(pair) != 2 || !isKey(pair[0]) {
				o.fail(call.Offset, "OrderedDict of something else than pairs")
			}
			d.set(pair[0], pair[1])
		}
	}
	o.fill(d, call.Entries, call.Offset)
	return d
}

// itemsOf returns the items of a list or tuple, else nil.
func itemsOf(v value) []value {
	switch v := v.(type) {
	case *list:
		return v.items
	case *tuple:
		return v.items
	}
	return nil
}

func (o *objects) device(call *pickle.Object) value {
	if len(call.Args) > 0 {
		if s, ok := call.Args[0].(string); ok {
			return device(s)
		}
	}
	o.fail(call.Offset, "a device lacks its name")
	return nil
}

func (o *objects) complex(call *pickle.Object) value {
	if len(call.Args) == 2 {
		re, ok1 := call.Args[0].(float64)
		im, ok2 := call.Args[1].(float64)
		if ok1 && ok2 {
			return complex(re, im)
		}
	}
	o.fail(call.Offset, "a complex number lacks its parts")
	return nil
}

// instance makes an object of a class of the archive's code, or a member of an enumeration.
func (o *objects) instance(call *pickle.Object, g *pickle.Global) value {
	c, err := o.library.class(g.String())
	if err != nil {
		o.wrap(call.Offset, err)
	}
	if c.def.Base == "Enum" && len(call.Args) == 1 {
		if e := c.memberOf(o.value(call.Args[0], call.Offset)); e != nil {
			return e
		}
		o.fail(call.Offset, "%s has no member of this value", g)
	}
	obj := &object{class: c, attrs: map[string]value{}}
	o.memo[call] = obj
	if !call.Built {
		return obj
	}
	if c.def.Method("__setstate__") != nil {
		obj.state, obj.stale = o.value(call.State, call.Offset), true
		return obj
	}
	state, ok := call.State.(*pickle.Dict)
	if !ok {
		o.fail(call.Offset, "the state of a %s is %s, not a dict", g, pickle.Kind(call.State))
	}
	for _, e := range state.Entries {
		name, ok := e.Key.(string)
		if !ok {
			o.fail(call.Offset, "an attribute of %s is named by %s", g, pickle.Kind(e.Key))
		}
		obj.set(name, o.value(e.Value, call.Offset))
	}
	return obj
}

// tensor reads a tensor of numbers.
func (o *objects) tensor(call *pickle.Object) value {
	data, from := o.elements(call)
	if from.quantized {
		o.fail(call.Offset, "a tensor of a quantized storage has no quantizer")
	}
	return data
}

// elements reads the arguments of _rebuild_tensor_v2: storage, offset, size, stride, requires_grad,
// hooks, and the bits of [objects.withBits]; v3 puts an element type for its untyped storage before them.
func (o *objects) elements(call *pickle.Object) (*Parameter, *storage) {
	if len(call.Args) < 4 {
		o.fail(call.Offset, "a tensor needs 4 arguments, got %d", len(call.Args))
	}
	ref, ok := call.Args[0].(*pickle.Reference)
	offset, ok1 := call.Args[1].(int64)
	dims, ok2 := extents(call.Args[2])
	strides, ok3 := extents(call.Args[3])
	if !ok || !ok1 || !ok2 || !ok3 || len(dims) != len(strides) {
		o.fail(call.Offset, "the arguments of a tensor are malformed")
	}
	s, err := o.storages.get(ref)
	if err != nil {
		o.wrap(call.Offset, err)
	}
	d := s.dtype
	if len(call.Args) > 6 {
		if code, ok := o.value(call.Args[6], call.Offset).(int); ok {
			d = dtype.FromTorchCode(code)
		}
	}
	if d == dtype.Invalid {
		o.fail(call.Offset, "the element type of a tensor is unknown")
	}
	data, err := o.storages.view(s, d, int(offset), dims, strides)
	if err != nil {
		o.wrap(call.Offset, err)
	}
	return &Parameter{Data: o.withBits(data, call), inside: offset != 0 || !isRowMajor(dims, strides)}, s
}

// maxRank is PyTorch's bound on the dimensions of a tensor with a name; real ones have a few.
const maxRank = 64

func extents(v pickle.Value) ([]int, bool) {
	var items []pickle.Value
	switch v := v.(type) {
	case *pickle.Tuple:
		items = v.Items
	case *pickle.List:
		items = v.Items
	case *pickle.Object: // torch.Size((2, 3))
		if len(v.Args) == 1 && v.Is("torch", "Size") {
			return extents(v.Args[0])
		}
		return nil, false
	default:
		return nil, false
	}
	if len(items) > maxRank {
		return nil, false
	}
	out := make([]int, len(items))
	for i, item := range items {
		n, ok := item.(int64)
		if !ok || n < 0 {
			return nil, false
		}
		out[i] = int(n)
	}
	return out, true
}
