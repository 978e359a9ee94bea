package mlprogram

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// The clause ordering(%a, %b -> !ml_program.token) names the tokens that an access waits
// for and the one that it gives, which either side may lack: ordering(() -> T).
func registerOrdering() {
	assembly.Directives["TokenOrdering"] = assembly.Directive{
		Parse: func(r *assembly.Reader, args []string) {
			r.SetTypes(args[1], []mlir.Type{})
			if !r.Accept("ordering") {
				return
			}
			r.Expect("(")
			if r.Accept("(") {
				r.Expect(")")
			} else {
				r.SetOperands(args[0], r.Operands())
			}
			if r.Accept("->") {
				r.SetTypes(args[1], []mlir.Type{r.Type()})
			}
			r.Expect(")")
		},
		Print: func(w *assembly.Writer, args []string) {
			consumed, produced := w.Values(args[0]), w.Values(args[1])
			if len(consumed)+len(produced) == 0 {
				return
			}
			w.Text("ordering(")
			if len(consumed) == 0 {
				w.Text("()")
			} else {
				w.Printer.Values(consumed)
			}
			if len(produced) > 0 {
				w.Text(" -> ")
				w.TypesOf(produced)
			}
			w.Text(")")
		},
	}
}
