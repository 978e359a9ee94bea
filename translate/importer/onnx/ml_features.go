package onnx

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(classical, "ArrayFeatureExtractor", func(n *node) {
		if n.value(0).texts != nil {
			n.moveTexts(func() { extractFeatures(n) })
			return
		}
		extractFeatures(n)
	})
	registerIn(classical, "Binarizer", func(n *node) {
		x := n.tensor(0)
		n.set(n.To(n.Compare("gt", x, n.float("threshold", 0)), elem(x)))
	})
	registerIn(classical, "Scaler", func(n *node) {
		x := n.real(0)
		if list := n.floats("offset"); list != nil {
			x = n.Sub(x, n.perFeature("offset", list, x))
		}
		if list := n.floats("scale"); list != nil {
			x = n.Mul(x, n.perFeature("scale", list, x))
		}
		n.set(n.To(x, dtype.F32))
	})
	registerIn(classical, "Normalizer", normalizeRows)
	registerIn(classical, "Imputer", impute)
	registerIn(classical, "FeatureVectorizer", joinFeatures)
}

// real returns input i as numbers to compute with: f64 stays, all else becomes f32.
func (n *node) real(i int) ops.Value {
	x := n.tensor(i)
	if elem(x) == dtype.F64 {
		return x
	}
	return n.To(x, dtype.F32)
}

// rows is [real] as a matrix: a vector is one row.
func (n *node) rows(i int) ops.Value {
	x := n.real(i)
	switch rank(x) {
	case 1:
		return n.Call("unsqueeze", x, 0)
	case 2:
		return x
	}
	failf("takes a vector or a matrix, not a tensor of %d dimensions", rank(x))
	return nil
}

// floatVector is a known vector of x's type.
func (n *node) floatVector(list []float64, d dtype.DType) ops.Value {
	return n.floatMatrix(list, d, len(list))
}

// floatMatrix is a known tensor, whose elements list has in order.
func (n *node) floatMatrix(list []float64, d dtype.DType, dims ...int) ops.Value {
	b := n.buffer(d, dims)
	for i, v := range list {
		b.SetFloat64(i, v)
	}
	return n.constant(b)
}

// perFeature is a number for all features of x, or one for each along its last dimension.
func (n *node) perFeature(name string, list []float64, x ops.Value) ops.Value {
	if r := rank(x); len(list) != 1 && (r == 0 || len(list) != extents(x)[r-1]) {
		failf("%s has %d numbers for %s", name, len(list), shape.String(extents(x)))
	}
	return n.floatVector(list, elem(x))
}

// extractFeatures picks elements of the last dimension; elements of a vector become a row.
func extractFeatures(n *node) {
	x, index := n.tensor(0), n.tensor(1)
	if rank(x) == 0 {
		failf("takes a tensor with dimensions")
	}
	last := rank(x) - 1
	flat := n.view(n.positive(1, extents(x)[last]), size(extents(index)))
	y := n.Call("index_select", x, last, flat)
	if last == 0 {
		y = n.Call("unsqueeze", y, 0)
	}
	n.set(y)
}

// normalizeRows divides each row by its largest element, by the sum of its sizes or by its length. A row for which
// that is zero stays.
func normalizeRows(n *node) {
	x := n.real(0)
	if r := rank(x); r != 1 && r != 2 {
		failf("takes a vector or a matrix, not a tensor of %d dimensions", r)
	}
	row := []int{rank(x) - 1}
	var by ops.Value
	switch norm := n.text("norm", "MAX"); norm {
	case "MAX":
		by = n.Call("amax", x, row, true)
	case "L1":
		by = n.sum(n.Call("abs", x), row, true)
	case "L2":
		by = n.Call("sqrt", n.sum(n.Square(x), row, true))
	default:
		failf("norm %q is not supported", norm)
	}
	y := n.Where(n.Compare("eq", by, 0), x, n.Div(x, by))
	n.set(n.To(y, dtype.F32))
}

// impute replaces one value, which may be NaN, by another for all features or each.
func impute(n *node) {
	x := n.tensor(0)
	values, missing := n.exactFloats("imputed_value_floats"), float64(n.rawFloat("replaced_value_float"))
	if !elem(x).IsFloat() {
		list, _ := n.ints("imputed_value_int64s")
		b := n.buffer(elem(x), []int{len(list)})
		for i, v := range list {
			b.SetInt64(i, int64(v))
		}
		n.imputed(x, n.constant(b), n.Compare("eq", x, n.int("replaced_value_int64", 0)))
		return
	}
	hit := n.Compare("eq", x, missing)
	if math.IsNaN(missing) {
		hit = n.Call("isnan", x)
	}
	n.imputed(x, n.floatVector(values, elem(x)), hit)
}

func (n *node) imputed(x, values, hit ops.Value) {
	if k := extents(values)[0]; k != 1 && (rank(x) == 0 || k != extents(x)[rank(x)-1]) {
		failf("%d imputed values for %s", k, shape.String(extents(x)))
	}
	n.set(n.Where(hit, values, x))
}

// joinFeatures puts the features of several matrices side by side. inputdimensions says how many each gives: what it
// has not is zero.
func joinFeatures(n *node) {
	widths, given := n.ints("inputdimensions")
	if given && len(widths) != len(n.in) {
		failf("%d inputdimensions for %d inputs", len(widths), len(n.in))
	}
	list := make([]ops.Value, len(n.in))
	for i := range list {
		x := n.To(n.rows(i), dtype.F32)
		if given {
			if widths[i] < 0 || widths[i] > 1<<24 {
				failf("inputdimensions has %d", widths[i])
			}
			x = n.padWith(x, []int{0, 0}, []int{0, widths[i] - extents(x)[1]}, 0)
		}
		list[i] = x
	}
	if len(list) == 0 {
		failf("has no input")
	}
	n.set(n.Call("cat", list, 1))
}
