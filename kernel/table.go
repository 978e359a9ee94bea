package kernel

import "reflect"

// Table has what a package knows of kinds of kernels.
type Table[V any] map[reflect.Type]V

// Of returns what the table has for the kind of a kernel.
func (t Table[V]) Of(k Kernel) (v V, ok bool) {
	v, ok = t[reflect.TypeOf(k)]
	return v, ok
}

// Kind is the key of the kernels of type K in a [Table].
func Kind[K Kernel]() reflect.Type { return reflect.TypeFor[K]() }
