package pickle

import "fmt"

// Value is a node of the tree. Its dynamic type is one of
//
//	nil          None
//	bool         True, False
//	int64        an integer that fits
//	*big.Int     an integer that does not
//	float64
//	string       text (a byte string of protocol 0 to 2 is text, too)
//	Bytes
//	*Tuple, *List, *Dict, *Set
//	*Global, *Object, *Reference
type Value any

// Bytes is a bytes or bytearray object; it shares the memory of the input.
type Bytes []byte

// Tuple is a Python tuple.
type Tuple struct {
	Items []Value
	depth int
}

// List is a Python list.
type List struct {
	Items []Value
	depth int
}

// Set is a Python set or frozenset, in the order of the input.
type Set struct {
	Items []Value
	depth int
}

// Entry is one key and its value.
type Entry struct{ Key, Value Value }

// Dict is a Python dict: entries in the order of the input. A later entry replaces an earlier one
// with the same key; Entries lists them all.
type Dict struct {
	Entries []Entry
	depth   int
}

// Global is a name in a module that Python would import.
type Global struct {
	Module, Name string
	Offset       int // of the instruction in the input, in bytes
}

// String returns the qualified name, module.name.
func (g *Global) String() string { return g.Module + "." + g.Name }

// Object is a call that Python would make: a callee, almost always a [*Global], and its arguments;
// then what later instructions put into the result.
type Object struct {
	Callee   Value
	Args     []Value
	Keywords *Dict   // the keyword arguments of NEWOBJ_EX, else nil
	State    Value   // the argument of BUILD
	Built    bool    // State was given
	Appended []Value // by APPEND and APPENDS
	Entries  []Entry // by SETITEM and SETITEMS
	Offset   int     // of the instruction in the input, in bytes
	depth    int
}

// Is reports whether the object's callee is the given global.
func (o *Object) Is(module, name string) bool {
	g, ok := o.Callee.(*Global)
	return ok && g.Module == module && g.Name == name
}

// Reference is a persistent id: the name of something that is kept outside of the pickle.
type Reference struct {
	ID     Value
	Offset int // of the instruction in the input, in bytes
	depth  int
}

// Error is a fault of the input.
type Error struct {
	Offset  int // of the instruction at fault, in bytes
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Message) }

// Limits bounds what [Read] accepts. A zero field stands for its value in [DefaultLimits].
type Limits struct {
	Bytes      int // size of the input
	Values     int // instructions that make, copy or store a value
	Depth      int // nesting of containers
	LongDigits int // size of an integer, in bytes (binary) or digits (decimal)
}

// DefaultLimits are generous for a model's structure and small for a machine.
var DefaultLimits = Limits{Bytes: 256 << 20, Values: 16 << 20, Depth: 2000, LongDigits: 1024}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Values == 0 {
		l.Values = DefaultLimits.Values
	}
	if l.Depth == 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.LongDigits == 0 {
		l.LongDigits = DefaultLimits.LongDigits
	}
	return l
}

// Kind names a value's type for messages, in Python's words.
func Kind(v Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a bool"
	case int64:
		return "an int"
	case float64:
		return "a float"
	case string:
		return "a str"
	case Bytes:
		return "bytes"
	case *Tuple:
		return "a tuple"
	case *List:
		return "a list"
	case *Dict:
		return "a dict"
	case *Set:
		return "a set"
	case *Global:
		return "the global " + v.String()
	case *Object:
		if g, ok := v.Callee.(*Global); ok {
			return "an object made by " + g.String()
		}
		return "an object"
	case *Reference:
		return "a persistent reference"
	default:
		return "a large int"
	}
}
