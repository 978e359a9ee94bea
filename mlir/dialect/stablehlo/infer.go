package stablehlo

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/mlir"
)

// inference is how the types of an operation's results follow: from the check, or from the operands, with which the
// table relates the result.
type inference struct {
	check   func(facts) error
	related bool
}

// likeOperands are rules by which a result has the extents of operands.
var likeOperands = regexp.MustCompile(`\b(compatible|shape)\([^)]*result\)`)

// inferences are by the names of operations.
var inferences = sync.OnceValue(func() map[string]inference {
	of := map[string]inference{}
	for dialect, rows := range map[string][]row{"chlo": chloRows, "stablehlo": rows} {
		for _, r := range rows {
			for _, name := range strings.Fields(r.names) {
				of[dialect+"."+name] = inference{r.check, likeOperands.MatchString(r.rules)}
			}
		}
	}
	return of
})

// Infer returns the types of results that follow from the types and constants of an operation's operands; nil if
// they do not tell. Types that cannot be inferred are an error.
func Infer(op *mlir.Operation) ([]mlir.Type, error) {
	rule, ok := inferences()[op.Name]
	if !ok || len(op.Results) == 0 {
		return nil, nil
	}
	var types []mlir.Type
	f := facts{op, &types}
	if described, ok := shapeOperands[op.Name]; ok {
		if shape, known := f.constant(described); known {
			t := f.out(0)
			t.Shape = shape
			return []mlir.Type{t}, nil
		}
	}
	if rule.check != nil {
		if err := rule.check(f); err != nil || types != nil {
			return types, err
		}
	}
	if strings.HasPrefix(op.Name, "chlo.broadcast_") && len(op.Results) == 1 {
		return []mlir.Type{f.broadcast()}, nil
	}
	if rule.related && len(op.Results) == 1 && len(op.Operands) > 0 {
		return []mlir.Type{f.joined()}, nil
	}
	return nil, nil
}

// shapeOperands are the operands that hold the extents of the result.
var shapeOperands = map[string]int{"stablehlo.dynamic_reshape": 1, "stablehlo.dynamic_broadcast_in_dim": 1,
	"stablehlo.dynamic_iota": 0, "stablehlo.rng": 2}

// broadcast is the type of the result with the extents that operands broadcast to. Dimensions of an operand of fewer
// dimensions are the last ones of the result, or those of broadcast_dimensions.
func (f facts) broadcast() mlir.Type {
	t := f.out(0)
	t.Shape = slices.Clone(t.Shape)
	rank := len(t.Shape)
	ones := make([]int, rank) // operands that have one place there
	for i := range f.Operands {
		shape := f.in(i).Shape
		places := f.ints("broadcast_dimensions")
		for d := range rank {
			at := d - (rank - len(shape))
			if len(shape) < rank && len(places) == len(shape) {
				at = slices.Index(places, d)
			}
			switch {
			case at < 0 || shape[at] == 1:
				ones[d]++
			case shape[at] != mlir.Dynamic && t.Shape[d] == mlir.Dynamic:
				t.Shape[d] = shape[at]
			}
		}
	}
	for d, n := range ones {
		if n == len(f.Operands) && t.Shape[d] == mlir.Dynamic {
			t.Shape[d] = 1
		}
	}
	return t
}

// joined is the type of the result with the extents that some operand of its rank has.
func (f facts) joined() mlir.Type {
	t := f.out(0)
	t.Shape = slices.Clone(t.Shape)
	for i := range f.Operands {
		for d, n := range f.in(i).Shape {
			if len(f.in(i).Shape) == len(t.Shape) && t.Shape[d] == mlir.Dynamic {
				t.Shape[d] = n
			}
		}
	}
	return t
}
