package stablehlo

import (
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// folding is how a scan or a scatter combines elements.
type folding struct {
	elem    mlir.Type // in which it does
	name    string    // of the operation; "" of logaddexp and of an assignment
	neutral any       // a float64, or an int64 where a float64 is too narrow
}

// foldingOf returns the folding of an operation of dialect acap on elements of a type. A long running sum
// of a scan is kept in f64; truth values are the numbers 0 and 1.
func (w *writer) foldingOf(op *mlir.Operation, elem mlir.Type) folding {
	_, float := elem.(mlir.FloatType)
	if acap.Unsigned(op) {
		elem = asUnsigned(elem)
	}
	kind := acap.Kind(op)
	if mlir.SameType(elem, mlir.I1) {
		name := map[string]string{acap.Add: "or", acap.Max: "or", acap.Mul: "and", acap.Min: "and"}[kind]
		return folding{elem, name, map[string]any{"or": 0.0, "and": 1.0}[name]}
	}
	wide := elem
	if float && op.Name == "acap.scan" {
		wide = mlir.F64
	}
	lowest, highest := any(math.Inf(-1)), any(math.Inf(1))
	if !float {
		lowest, highest = least(elem), most(elem)
		if acap.Unsigned(op) {
			lowest, highest = int64(0), int64(-1)
		}
	}
	switch kind {
	case acap.Add:
		return folding{wide, "add", 0.0}
	case acap.Mul:
		return folding{wide, "multiply", 1.0}
	case acap.LogAddExp:
		return folding{wide, "", math.Inf(-1)}
	case acap.Max:
		return folding{elem, "maximum", lowest}
	case acap.Min:
		return folding{elem, "minimum", highest}
	}
	return folding{elem: elem}
}

// combine folds y into x.
func (f folding) combine(w *writer, x, y *mlir.Value) *mlir.Value {
	if f.name != "" {
		return w.create(f.name, x.Type, nil, x, y)
	}
	// log(exp(x)+exp(y)) about the larger one, which an infinity is alone.
	larger := w.create("maximum", x.Type, nil, x, y)
	distance := w.create("abs", x.Type, nil, w.create("subtract", x.Type, nil, x, y))
	sum := w.create("add", x.Type, nil, larger, w.create("log_plus_one", x.Type, nil,
		w.create("exponential", x.Type, nil, w.create("negate", x.Type, nil, distance))))
	same := w.relation("EQ", "FLOAT", tensor(mlir.I1, shapeOf(x.Type)), x, y)
	twice := w.create("add", x.Type, nil, larger,
		w.broadcast(w.number(math.Ln2, f.elem), shapeOf(x.Type), nil))
	return w.create("select", x.Type, nil, same, twice, sum)
}

// as gives x elements of a type: integers of the same width keep their bits.
func (w *writer) as(x *mlir.Value, elem mlir.Type) *mlir.Value {
	have := elemOf(x.Type)
	if mlir.SameType(have, elem) {
		return x
	}
	_, ints := have.(mlir.IntegerType)
	_, wanted := elem.(mlir.IntegerType)
	if ints && wanted && mlir.BitWidth(have) == mlir.BitWidth(elem) {
		return w.create("bitcast_convert", tensor(elem, shapeOf(x.Type)), nil, x)
	}
	return w.create("convert", tensor(elem, shapeOf(x.Type)), nil, x)
}
