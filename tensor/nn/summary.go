package nn

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Summary shows a model, which is not nil, as a tree, with the shapes of its tensors and the number of its
// parameters.
func Summary(m any) string {
	trace.Need("nn", "the model", m)
	var b strings.Builder
	summarize(&b, "", m, "")
	trained, fixed := 0, 0
	for _, p := range NamedParameters(m) {
		trained += p.Tensor.NumElements()
	}
	for _, p := range NamedBuffers(m) {
		fixed += p.Tensor.NumElements()
	}
	fmt.Fprintf(&b, "%d elements in parameters, %d in other tensors\n", trained, fixed)
	return b.String()
}

func summarize(b *strings.Builder, name string, m any, indent string) {
	label := title(m)
	if name != "" {
		label = name + ": " + label
	}
	var own []string
	list := members(m)
	for _, e := range list {
		if e.tensor == nil {
			continue
		}
		text := e.name + shape.String(e.tensor.Shape())
		if !e.tensor.IsParameter() {
			text += " (fixed)"
		}
		own = append(own, text)
	}
	fmt.Fprintf(b, "%s%s", indent, label)
	if len(own) > 0 {
		fmt.Fprintf(b, "  %s", strings.Join(own, ", "))
	}
	b.WriteByte('\n')
	for _, e := range list {
		if e.module != nil {
			summarize(b, e.name, e.module, indent+"  ")
		}
	}
}

// title names a module: what it says of itself, or its type.
func title(m any) string {
	switch m := m.(type) {
	case *Sequence:
		return "Sequential"
	case fmt.Stringer:
		return m.String()
	}
	t := reflect.TypeOf(m)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// parameter makes a tensor a parameter.
func parameter(t *tensor.Tensor) *tensor.Tensor { return t.RequiresGrad() }
