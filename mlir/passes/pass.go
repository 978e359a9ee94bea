package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Pass rewrites a module in place.
type Pass struct {
	Name string // as in a pipeline: "canonicalize"
	Doc  string // one line
	Run  func(module *mlir.Operation) error
}

// All is the table of passes, in the order in which a pipeline usually has them.
var All = []Pass{
	{"acap-2019-to-aten", "turn the dialect that PyTorch/ACAP printed in 2019 into today's", From2019},
	{"decompose", "replace aten operations that have an expansion by it", Decompose},
	{"partition", "move what the device can run into functions of their own", Partition},
	{"lower-to-linalg", "lower aten operations to linalg on tensors", LowerToLinalg},
	{"expand-acap", "write the acap dialect out as loops that mlir-opt knows", ExpandACAP},
	{"aten-to-acap-2019", "turn the aten dialect into what PyTorch/ACAP printed in 2019", ACAP2019},
	{"inline", "replace calls by the bodies of the functions", Inline},
	{"symbol-dce", "remove private functions that nothing refers to", SymbolDCE},
	{"canonicalize", "fold constants and identities, remove what becomes dead", Canonicalize},
	{"cse", "merge equal operations without effects", CSE},
	{"dce", "remove unused operations without effects and unreachable blocks", DCE},
	{"elide", "replace large constants by placeholders, for reading only", Elide},
	{"strip-locations", "forget where operations come from", StripLocations},
}

// Lookup returns the pass of a name.
func Lookup(name string) (Pass, bool) {
	for _, p := range All {
		if p.Name == name {
			return p, true
		}
	}
	return Pass{}, false
}

// Parse makes a pipeline of names separated by commas. Spaces around names do not
// count, and no names make an empty pipeline.
func Parse(names string) (*Pipeline, error) {
	pipeline := &Pipeline{}
	for _, name := range strings.Split(names, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		p, ok := Lookup(name)
		if !ok {
			return nil, fmt.Errorf("passes: unknown pass %q; there are %s", name, known())
		}
		pipeline.Passes = append(pipeline.Passes, p)
	}
	return pipeline, nil
}

func known() string {
	names := make([]string, len(All))
	for i, p := range All {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}
