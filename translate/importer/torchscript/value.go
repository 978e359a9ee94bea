package torchscript

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/script"
)

// value is a value of a running program. Its dynamic type is one of
//
//	nil, bool, int, float64, complex128, string
//	*list, *tuple, *dict, *object, *enum, *tensor
//	*quantized, *packed   a quantized tensor, the parameters of a quantized layer
//	rangeValue   range(...), not unrolled
//	device       torch.device(...)
//	*closure     a function that a function defines, or a method
//	*class       a class as a value
//	unset        uninitialized(T): a value that no path of the program reads
//	*Parameter   a tensor of the model, in the values that [Model] holds
//
// Element types are ints, the numbers of c10::ScalarType, as in TorchScript itself.
type value any

type list struct{ items []value }

// tuple is a tuple; class is set if it is a named one.
type tuple struct {
	items []value
	class *class
}

// dict keeps the order of insertion.
type dict struct {
	keys   []value
	values []value
	index  map[value]int // nil, bool, int, float64, string, *enum: all comparable
}

func newDict() *dict { return &dict{index: map[value]int{}} }

func (d *dict) get(key value) (value, bool) {
	i, ok := d.index[key]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

func (d *dict) set(key, v value) {
	if i, ok := d.index[key]; ok {
		d.values[i] = v
		return
	}
	d.index[key] = len(d.keys)
	d.keys = append(d.keys, key)
	d.values = append(d.values, v)
}

// remove takes out an entry that is there.
func (d *dict) remove(key value) {
	i := d.index[key]
	d.keys = append(d.keys[:i:i], d.keys[i+1:]...)
	d.values = append(d.values[:i:i], d.values[i+1:]...)
	delete(d.index, key)
	for k, j := range d.index {
		if j > i {
			d.index[k] = j - 1
		}
	}
}

// isKey reports whether v can be a key of a dict.
func isKey(v value) bool {
	switch v.(type) {
	case nil, bool, int, float64, string, *enum:
		return true
	}
	return false
}

// class is a class definition under its qualified name.
type class struct {
	name    string // __torch__.torch.nn.modules.linear.Linear
	def     *script.Class
	members map[string]*enum // of an enumeration
}

// object is an instance of a class: a module, mostly.
type object struct {
	class *class
	attrs map[string]value
	names []string // of the attributes in the order of the file
	path  string   // in the model, such as encoder.layers.0; empty for the root
	state value    // the argument of __setstate__ while it has not been called
	stale bool     // state is to be given to __setstate__ before first use
}

func (o *object) set(name string, v value) {
	if _, ok := o.attrs[name]; !ok {
		o.names = append(o.names, name)
	}
	o.attrs[name] = v
}

// enum is a member of an enumeration; each is one pointer.
type enum struct {
	class *class
	name  string
	value value
}

type rangeValue struct{ start, stop, step int }

func (r rangeValue) len() int {
	switch {
	case r.step > 0 && r.start < r.stop:
		return (r.stop-r.start-1)/r.step + 1
	case r.step < 0 && r.start > r.stop:
		return (r.start-r.stop-1)/-r.step + 1
	}
	return 0
}

type device string

type unset struct{}

// closure is a function with what it refers to.
type closure struct {
	function *script.Function
	self     *object // of a bound method, else nil
	outer    *frame  // the variables that a nested function sees, else nil
}

// Parameter is a tensor of a model.
type Parameter struct {
	Name     string // the path through the modules: "encoder.layers.0.weight"
	Data     *buf.Buffer
	IsBuffer bool // part of the state, but not trained, such as a running mean

	inside bool // the file has the elements inside of a larger memory, or in another order
	bare   bool // of a table that does not keep whether the elements are to be conjugated or negated
}

// kindOf names a value's type for messages. Of what is nested it says as much as fits on a line.
func kindOf(v value) string { return kindAt(v, 0) }

// The types that a message names: of the first items, and of these as deep.
const (
	namedItems = 4
	namedDepth = 3
)

func kindAt(v value, depth int) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "bool"
	case int:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string:
		return "str"
	case *list:
		return "List[" + kindOfItems(v.items, depth+1) + "]"
	case *tuple:
		return "Tuple[" + kindOfItems(v.items, depth+1) + "]"
	case *dict:
		return "Dict"
	case *object:
		return v.class.name
	case *enum:
		return v.class.name
	case *tensor, *Parameter:
		return "Tensor"
	case *quantized:
		return v.kind()
	case *packed:
		return "packed parameters"
	case *tensorSubclass:
		return "tensor of the Python class " + v.class
	case rangeValue:
		return "range"
	case device:
		return "Device"
	case *closure:
		return "function"
	case *class:
		return "class"
	case unset:
		return "uninitialized value"
	}
	return fmt.Sprintf("%T", v)
}

func kindOfItems(items []value, depth int) string {
	if depth > namedDepth && len(items) > 0 {
		return "..."
	}
	var kinds []string
	for i, item := range items {
		if i == namedItems {
			kinds = append(kinds, "...")
			break
		}
		if k := kindAt(item, depth); len(kinds) == 0 || kinds[len(kinds)-1] != k {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, ", ")
}

// Bounds of the text of a list, tuple or dict: what is deeper or longer is left out.
const (
	maxTextDepth = 8
	maxTextItems = 1 << 14
)

// text returns what str(v) gives in TorchScript, see [floatText], nested up to a few levels and some thousand items;
// strings in lists have no quotes there.
func text(v value) string {
	left := maxTextItems
	return textAt(v, 0, &left)
}

func textAt(v value, depth int, left *int) string {
	inside := func(v value) string { return textAt(v, depth+1, left) }
	each := func(n int, part func(i int) string) string {
		if depth > maxTextDepth {
			return "..."
		}
		var parts []string
		for i := range n {
			if *left--; *left < 0 {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, part(i))
		}
		return strings.Join(parts, ", ")
	}
	all := func(items []value) string {
		return each(len(items), func(i int) string { return inside(items[i]) })
	}
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int:
		return strconv.Itoa(v)
	case float64:
		return floatText(v)
	case string:
		return v
	case device:
		return string(v)
	case *list:
		return "[" + all(v.items) + "]"
	case *tuple:
		if len(v.items) == 1 {
			return "(" + all(v.items) + ",)"
		}
		return "(" + all(v.items) + ")"
	case *dict:
		return "{" + each(len(v.keys), func(i int) string { return inside(v.keys[i]) + ": " + inside(v.values[i]) }) + "}"
	case *enum:
		return "Enum<" + v.class.def.Name + "." + v.name + ">"
	}
	return "<" + kindOf(v) + ">"
}

// floatText is what TorchScript writes for a float, which is not what Python does: whole numbers that an int holds
// end in a point, and others have 17 digits as C++ streams write them. So says operator<< of IValue in
// aten/src/ATen/core/ivalue.cpp; aten::str and aten::format, which formatted strings become, write to such streams
// (torch/csrc/jit/runtime/register_prim_ops.cpp and vararg_functions.cpp).
func floatText(f float64) string {
	if math.Trunc(f) == f && f >= math.MinInt64 && f < -math.MinInt64 {
		return strconv.FormatInt(int64(f), 10) + "."
	}
	return streamed(f, 'g', 17)
}

// streamed returns the text that a C++ stream writes for a float: in the form 'e', 'E' or 'f' with digits digits behind
// the point, or 'g' with digits significant digits, without zeros at the end.
func streamed(f float64, form byte, digits int) string {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		s := strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
		if form == 'E' {
			s = strings.ToUpper(s)
		}
		return s
	case form != 'g':
		return strconv.FormatFloat(f, form, digits, 64)
	}
	s := strconv.FormatFloat(f, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	if e < -4 || e >= digits {
		return withoutZeros(mantissa) + "e" + exponent
	}
	return withoutZeros(strconv.FormatFloat(f, 'f', digits-1-e, 64))
}

// withoutZeros leaves out zeros at the end of what has a point, and the point behind which nothing is left.
func withoutZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
