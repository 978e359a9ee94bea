package torchscript

import (
	"fmt"
	"slices"
	"strings"
)

// mostChanged bounds the names that a warning has.
const mostChanged = 4

// warnChanged tells the builder which parameters and buffers the program has changed: every call starts from those of
// the file.
func (ev *evaluator) warnChanged() {
	var names []string
	if e := ev.model.exported; e != nil {
		names = slices.Clone(e.mutated)
	}
	for v, own := range ev.copies {
		switch v := v.(type) {
		case *Parameter:
			if t := own.(*tensor); t.ref != nil && t.ref.Written() {
				names = append(names, v.Name)
			}
		case *object:
			for _, name := range v.names {
				if p, ok := v.attrs[name].(*Parameter); ok && own.(*object).attrs[name] != ev.copies[p] {
					names = append(names, p.Name)
				}
			}
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	more := ""
	if n := len(names) - mostChanged; n > 0 {
		names, more = names[:mostChanged], fmt.Sprintf(" and %d more", n)
	}
	ev.builder.Warn(fmt.Sprintf("%s changes %s%s in a call, and every call starts from what the file has: let the program "+
		"take what it keeps, and return it", ev.model.Name, strings.Join(names, ", "), more))
}
