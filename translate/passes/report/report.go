package report

import (
	"io"

	"github.com/go-acap/acap/mlir"
)

// Report writes what it finds out about a module, which it does not change.
type Report struct {
	Name, Doc string
	Write     func(w io.Writer, module *mlir.Operation) error
}

// All lists the known ones.
var All = []Report{
	{"aten-op-report", "what every aten operation reads, writes and computes, as JSON", WriteOperators},
	{"liveness-report", "the elements that are live while a layer runs, by layer, as JSON", WriteLiveness},
	{"view-dot", "the graph of each function, for Graphviz", WriteDOT},
	{"view", "a picture of the graph of each function, as SVG", WriteSVG},
}
