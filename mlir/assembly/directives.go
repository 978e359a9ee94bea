package assembly

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// Directive is a piece of syntax that formats name: custom<Name>($a, $b).
type Directive struct {
	Parse func(r *Reader, args []string)
	Print func(w *Writer, args []string)
	// Next reports whether it may come next; nil means never.
	Next func(r *Reader) bool
}

// Directives are the known ones.
var Directives = map[string]Directive{
	// [1, %a, 2]: the dynamic entries are operands, the others an attribute.
	"DynamicIndexList": {parseIndexList, printIndexList, func(r *Reader) bool { return r.Next("[") }},
}

func parseIndexList(r *Reader, args []string) {
	list := mlir.DenseArrayAttr{Elem: mlir.I64, Ints: []int64{}}
	var refs []mlir.Ref
	r.List("[", "]", func() {
		if r.NextOperand() {
			refs = append(refs, r.Operand())
			list.Ints = append(list.Ints, mlir.DynamicStride)
			return
		}
		list.Ints = append(list.Ints, int64(r.Int()))
	})
	r.SetOperands(args[0], refs)
	r.SetAttr(args[1], list)
}

func printIndexList(w *Writer, args []string) {
	values := w.Values(args[0])
	list, _ := mlir.IntList(w.Op.Attrs.Get(args[1]))
	w.Text("[")
	for i, n := range list {
		if i > 0 {
			w.Text(", ")
		}
		if n == mlir.DynamicStride && len(values) > 0 {
			w.Value(values[0])
			values = values[1:]
			continue
		}
		w.Text(strconv.Itoa(n))
	}
	w.Text("]")
}
