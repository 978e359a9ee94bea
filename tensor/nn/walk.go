package nn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// member is what a model has under a name: a tensor or a module.
type member struct {
	name   string
	tensor *tensor.Tensor
	module any
}

// isNil reports whether a model is nil, or a pointer that is.
func isNil(m any) bool {
	v := reflect.ValueOf(m)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// container is a module whose members are not its fields.
type container interface{ members() []member }

// members lists the members of a model: its exported fields that are set, and the entries of those that are lists or
// maps, or, of a model that is a list or a map, its entries. A field is named by its tag nn, or by its name in lower
// case with underscores; the tag "-" leaves it out. A field that is not exported must hold neither tensors nor layers.
func members(m any) []member {
	if c, ok := m.(container); ok {
		return c.members()
	}
	v := reflect.ValueOf(m)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	var list []member
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		list = appendMember(nil, "", v)
		for i := range list {
			list[i].name = strings.TrimPrefix(list[i].name, ".")
		}
		return list
	case reflect.Struct:
	default:
		return nil
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Tag.Get("nn")
		switch {
		case name == "-":
			continue
		case !f.IsExported():
			refuseHidden(v.Type(), f, v.Field(i))
			continue
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			inner := v.Field(i)
			if inner.CanAddr() { // else the model is no pointer
				inner = inner.Addr()
			}
			list = append(list, members(inner.Interface())...)
			continue
		case name == "":
			name = snake(f.Name)
		}
		list = appendMember(list, name, v.Field(i))
	}
	return list
}

// refuseHidden panics if a field that is not exported holds a tensor or a layer: it would
// not be trained, moved or saved, and nothing would say so.
func refuseHidden(owner reflect.Type, f reflect.StructField, v reflect.Value) {
	if holds(v) {
		trace.Raise(&tensor.ArgError{Op: "nn", Detail: fmt.Sprintf("field %s of %v is not exported, so that its tensors would not be "+
			"found: export it, or tag it `nn:\"-\"` to leave it out", f.Name, owner)})
	}
}

// holds reports whether a value is a tensor or a layer, or a list, a map or a struct that has one.
func holds(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && (v.Type() == reflect.TypeFor[*tensor.Tensor]() || isLayer(v.Type()))
	case reflect.Interface:
		return !v.IsNil() && holds(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if holds(v.Field(i)) {
				return true
			}
		}
		return isLayer(reflect.PointerTo(v.Type()))
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && !isPlain(v.Type().Elem()); i++ {
			if holds(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); !isPlain(v.Type().Elem()) && entries.Next(); {
			if holds(entries.Value()) {
				return true
			}
		}
	}
	return false
}

func isLayer(t reflect.Type) bool {
	_, ok := t.MethodByName("Forward")
	return ok
}

// isPlain reports whether a type is of numbers or strings, which a walk need not look into.
func isPlain(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// appendMember appends what a field holds: a tensor, a module, or the entries of a list or of a map, these in the order
// of their names.
func appendMember(list []member, name string, v reflect.Value) []member {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && !isPlain(v.Type().Elem()); i++ {
			list = appendMember(list, name+"."+strconv.Itoa(i), v.Index(i))
		}
	case reflect.Map:
		entries := map[string]reflect.Value{}
		for e := v.MapRange(); !isPlain(v.Type().Elem()) && e.Next(); {
			entries[fmt.Sprint(e.Key())] = e.Value()
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			list = appendMember(list, name+"."+key, entries[key])
		}
	case reflect.Struct:
		if !holds(v) {
			return list
		}
		if v.CanAddr() {
			v = v.Addr()
		}
		return append(list, member{name: name, module: v.Interface()})
	case reflect.Interface:
		return appendMember(list, name, v.Elem())
	case reflect.Pointer:
		if v.IsNil() {
			return list
		}
		if t, ok := v.Interface().(*tensor.Tensor); ok {
			return append(list, member{name: name, tensor: t})
		}
		m := v.Interface()
		if _, ok := m.(container); ok || isStruct(m) {
			return append(list, member{name: name, module: m})
		}
		return appendMember(list, name, v.Elem())
	}
	return list
}

func isStruct(m any) bool {
	t := reflect.TypeOf(m)
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// snake turns "SelfAttn" into "self_attn", and "FC" into "fc".
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// walk visits a model and all modules in it, outermost first, each once, and its tensors. A nil
// pointer is a typed panic: otherwise it would have no parameters, and nothing would say so.
func walk(m any, module func(name string, m any), visit func(name string, t *tensor.Tensor)) {
	seen := map[any]bool{}
	var from func(prefix string, m any)
	from = func(prefix string, m any) {
		if reflect.ValueOf(m).Comparable() {
			if seen[m] {
				return
			}
			seen[m] = true
		}
		if module != nil {
			module(prefix, m)
		}
		for _, e := range members(m) {
			name := e.name
			if prefix != "" {
				name = prefix + "." + name
			}
			switch {
			case e.module != nil:
				from(name, e.module)
			case visit != nil:
				visit(name, e.tensor)
			}
		}
	}
	if m != nil {
		trace.Need("nn", "the model", m)
		from("", m)
	}
}

// NamedTensor is a tensor of a model and its path, such as "layers.0.weight".
type NamedTensor struct {
	Name   string
	Tensor *tensor.Tensor
}

func tensors(m any, which func(t *tensor.Tensor) bool) []NamedTensor {
	var list []NamedTensor
	seen := map[*tensor.Tensor]bool{}
	walk(m, nil, func(name string, t *tensor.Tensor) {
		if which(t) && !seen[t] {
			seen[t] = true
			list = append(list, NamedTensor{name, t})
		}
	})
	return list
}

// NamedParameters returns the tensors that training changes, on which RequiresGrad was called: in a fixed order, each
// once. Parameters of layers of this package are so from the start; a tensor in a field of one's own layer without it
// is a buffer, which is never trained and which [NamedBuffers] lists.
func NamedParameters(m any) []NamedTensor { return tensors(m, (*tensor.Tensor).IsParameter) }

// Parameters is [NamedParameters] without names. The handles stay the same when the model
// moves, is trained or loaded.
func Parameters(m any) []*tensor.Tensor {
	var list []*tensor.Tensor
	for _, p := range NamedParameters(m) {
		list = append(list, p.Tensor)
	}
	return list
}

// NamedBuffers returns the tensors of a model that are no parameters, such as running
// means, and parameters that are frozen.
func NamedBuffers(m any) []NamedTensor {
	return tensors(m, func(t *tensor.Tensor) bool { return !t.IsParameter() })
}

// Apply calls f for a model and all modules in it, outermost first, with their paths.
func Apply(m any, f func(name string, module any)) { walk(m, f, nil) }

// To moves the tensors of a model to a device; parameters stay parameters.
func To(m any, d device.Device) {
	trace.Need("to", "the device", d)
	walk(m, nil, func(_ string, t *tensor.Tensor) { t.MoveTo(d) })
}

// Train says that a model is trained: dropout drops, and normalization uses its batch.
// Layers are made so.
func Train(m any) { setTraining(m, true) }

// Eval says that a model is used and not trained.
func Eval(m any) { setTraining(m, false) }

// setTraining sets the fields named Training of all modules.
func setTraining(m any, on bool) {
	Apply(m, func(name string, m any) {
		v := reflect.ValueOf(m)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return
		}
		f := v.FieldByName("Training")
		if !f.IsValid() || f.Kind() != reflect.Bool {
			return
		}
		if !f.CanSet() {
			trace.Raise(&tensor.ArgError{Op: "nn", Detail: fmt.Sprintf("Training of %s, a %T, cannot be set: hold a pointer to the layer, not a copy", name, m)})
		}
		f.SetBool(on)
	})
}

// Freeze says that a model, or a part of one, keeps its values: its parameters are
// parameters no more, and programs may keep packed copies of its tensors, which makes
// inference faster.
func Freeze(m any) { walk(m, nil, func(_ string, t *tensor.Tensor) { t.Freeze() }) }
