package report

import (
	"io"

	"github.com/go-acap/acap/mlir"
)

// Liveness returns for every layer the number of elements that are live while the layer runs, by the layer that made
// them. "parameters" counts arguments of the function that are still needed, and "returns" counts live elements that
// the function returns.
func Liveness(module *mlir.Operation) map[string]map[string]int {
	names := map[*mlir.Operation]string{}
	eachLayer(module, func(name string, op *mlir.Operation) { names[op] = name })
	report := map[string]map[string]int{}
	for _, f := range module.Funcs() {
		for _, r := range f.Regions {
			for _, b := range r.Blocks {
				livenessOf(b, names, report)
			}
		}
	}
	return report
}

func livenessOf(b *mlir.Block, names map[*mlir.Operation]string, report map[string]map[string]int) {
	last := map[*mlir.Value]int{} // the position of the last use
	returned := map[*mlir.Value]bool{}
	for i, op := range b.Ops {
		for _, v := range op.Captured() {
			last[v] = i
			returned[v] = returned[v] || op.Name == "func.return"
		}
	}
	var live []*mlir.Value
	live = append(live, b.Args...)
	for i, op := range b.Ops {
		live = append(live, op.Results...)
		still := live[:0]
		for _, v := range live {
			if v.Def == op || last[v] >= i && used(last, v) {
				still = append(still, v)
			}
		}
		live = still
		name, ok := names[op]
		if !ok {
			continue
		}
		row := map[string]int{}
		for _, v := range live {
			n := elementsOf(v.Type)
			if n == 0 {
				continue
			}
			switch {
			case v.Def == nil:
				row["parameters"] += n
			case names[v.Def] != "":
				row[names[v.Def]] += n
			}
			if returned[v] {
				row["returns"] += n
			}
		}
		report[name] = row
	}
}

func used(last map[*mlir.Value]int, v *mlir.Value) bool { _, ok := last[v]; return ok }

// WriteLiveness writes [Liveness] as JSON, keys sorted. An error is one of w.
func WriteLiveness(w io.Writer, module *mlir.Operation) error {
	return writeJSON(w, Liveness(module))
}
