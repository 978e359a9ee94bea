package assembly

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// Directive is a piece of syntax that formats name: custom<Name>($a, $b).
type Directive struct {
	Parse func(r *Reader, args []string)
	Print func(w *Writer, args []string)
	// Next reports whether it may come next; nil means never.
	Next func(r *Reader) bool
	// Check compares the parts that it shows; nil means that any fit.
	Check func(w *Writer, args []string) error
}

// Directives are the known ones.
var Directives = map[string]Directive{
	// [1, %a, 2]: the dynamic entries are operands, the others an attribute.
	"DynamicIndexList": {parseIndexList, printIndexList, func(r *Reader) bool { return r.Next("[") }, checkIndexList},
}

// checkIndexList checks that there is an operand for each dynamic entry.
func checkIndexList(w *Writer, args []string) error {
	list, _ := mlir.IntList(w.Op.Attrs.Get(args[1]))
	dynamic := 0
	for _, n := range list {
		if n == mlir.DynamicStride {
			dynamic++
		}
	}
	if n := len(w.Values(args[0])); n != dynamic {
		return fmt.Errorf("%s has %d entries that are operands, and there are %d %s", args[1], dynamic, n, args[0])
	}
	return nil
}

func parseIndexList(r *Reader, args []string) {
	list, refs := r.DynamicIndexList("[", "]")
	r.SetOperands(args[0], refs)
	r.SetAttr(args[1], list)
}

func printIndexList(w *Writer, args []string) {
	w.DynamicIndexList("[", "]", w.Op.Attrs.Get(args[1]), w.Values(args[0]))
}
