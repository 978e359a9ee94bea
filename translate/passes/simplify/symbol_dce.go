package simplify

import "github.com/go-acap/acap/mlir"

// SymbolDCE removes private functions that no function that stays refers to. The error is always nil.
func SymbolDCE(module *mlir.Operation) error {
	body := module.Body()
	if body == nil {
		return nil
	}
	table := map[string]*mlir.Operation{}
	var work []*mlir.Operation
	for _, op := range body.Ops {
		if name := op.Symbol(); name != "" {
			table[name] = op
		}
		if op.Symbol() == "" || !op.IsPrivate() {
			work = append(work, op)
		}
	}
	live := map[*mlir.Operation]bool{}
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		if live[op] {
			continue
		}
		live[op] = true
		op.Walk(func(inner *mlir.Operation) {
			for _, n := range inner.Attrs {
				mlir.EachSymbol(n.Value, func(name string) {
					if to := table[name]; to != nil {
						work = append(work, to)
					}
				})
			}
		})
	}
	var kept []*mlir.Operation
	for _, op := range body.Ops {
		if live[op] {
			kept = append(kept, op)
		}
	}
	body.Ops = kept
	return nil
}
