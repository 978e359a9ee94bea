package machine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Constants visits the constants of a machine in the order of its fields, with the paths
// that they have in JSON. The visitor's changes of a constant remain.
func (m *Machine) Constants(visit func(path string, c *Constant)) {
	constants("", reflect.ValueOf(m).Elem(), visit)
}

func constants(path string, v reflect.Value, visit func(string, *Constant)) {
	if c, ok := v.Addr().Interface().(*Constant); ok {
		visit(path, c)
		return
	}
	join := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			constants(join(name), v.Field(i), visit)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			return strings.Compare(a.String(), b.String())
		})
		for _, k := range keys { // the elements of a map have no addresses
			element := reflect.New(v.Type().Elem()).Elem()
			element.Set(v.MapIndex(k))
			constants(join(k.String()), element, visit)
			v.SetMapIndex(k, element)
		}
	case reflect.Slice:
		for i := range v.Len() {
			constants(fmt.Sprintf("%s[%d]", path, i), v.Index(i), visit)
		}
	}
}
