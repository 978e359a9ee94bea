package ops

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// Index is an operand whose elements are places in a dimension of another.
type Index struct {
	Value  Value
	Dim    int // -1 for the place among all elements
	Extent int
	Except int64 // an index that is left out, or 0
	Starts bool  // the elements are where bags begin among Extent indices

	Checked string // the operator that checks the elements, which are no places
}

// Indices lists the operands of a call that are indices, by the names that PyTorch gives them in all
// schemas: index beside dim, or alone; indices of rows of a weight, or one for each dimension; and
// the classes of a loss.
func (c *Call) Indices() []Index {
	var list []Index
	if c.Op.Name() == "_checked" {
		return []Index{{Value: c.Tensor(0), Checked: c.Args[2].Text()}}
	}
	if name := c.Op.Functional().Name(); divisions[name] && c.dividesIntegers() && c.Tensor(1) != nil {
		return []Index{{Value: c.Tensor(1), Checked: name}}
	}
	params := c.Op.Parsed().Params
	at := func(name string) int {
		for i, q := range params {
			if q.Name == name && c.Has(i) {
				return i
			}
		}
		return -1
	}
	add := func(v Value, dims []int, dim int) {
		if dim < 0 {
			dim += len(dims)
		}
		if d := v.Type().DType; dim >= 0 && dim < len(dims) && d.IsInt() {
			x := Index{Value: v, Dim: dim, Extent: dims[dim]}
			if i := at("ignore_index"); i >= 0 {
				x.Except = int64(c.Int(i))
			}
			list = append(list, x)
		}
	}
	of, index, indices, target := at("self"), at("index"), at("indices"), at("target")
	if of < 0 {
		of = at("weight")
	}
	if of < 0 || params[of].Type != TypeTensor || params[of].List {
		return nil
	}
	dims := c.Shape(of)
	switch {
	case index >= 0 && at("dim") >= 0:
		add(c.Tensor(index), dims, c.Int(at("dim")))
	case index >= 0:
		list = append(list, Index{Value: c.Tensor(index), Dim: -1, Extent: shape.Size(dims)})
	case indices >= 0 && params[indices].List:
		for i, v := range c.Tensors(indices) {
			if v != nil {
				add(v, dims, i)
			}
		}
	case indices >= 0:
		add(c.Tensor(indices), dims, 0)
		if i := at("offsets"); i >= 0 {
			list = append(list, Index{Value: c.Tensor(i), Extent: shape.Size(c.Shape(indices)), Starts: true})
		}
	case target >= 0 && strings.Contains(c.Op.Name(), "nll_loss"), target >= 0 && strings.HasPrefix(c.Op.Name(), "cross_entropy"):
		add(c.Tensor(target), dims, min(1, len(dims)-1))
	}
	return list
}

// Outside returns the first element that is no place, and what it should be one of.
func (x *Index) Outside(b *buf.Buffer) (string, bool) {
	if x.Starts {
		return x.disorder(b)
	}
	if wrong := claims[x.Checked]; wrong != nil {
		for _, row := range rowsOf(b) {
			if text := wrong(row); text != "" {
				return text, true
			}
		}
		return "", false
	}
	for _, low := range []int64{-int64(x.Extent), 0} { // some operators count negative indices from the end
		for i := range b.Len() {
			if v := b.Int64(i); (v < low || v >= int64(x.Extent)) && (v != x.Except || v == 0) {
				if x.Dim < 0 {
					return fmt.Sprintf("%d of %d elements", v, x.Extent), true
				}
				return fmt.Sprintf("%d of dimension %d, whose extent is %d", v, x.Dim, x.Extent), true
			}
		}
	}
	return "", false
}

// disorder returns the first offset that begins no bag, and what it should be.
func (x *Index) disorder(b *buf.Buffer) (string, bool) {
	least := int64(0)
	for i := range b.Len() {
		switch v := b.Int64(i); {
		case i == 0 && v != 0:
			return fmt.Sprintf("offset 0 is %d; the first bag begins at 0", v), true
		case v < least:
			return fmt.Sprintf("offset %d is %d, below the one before it, %d; offsets do not fall", i, v, least), true
		case v > int64(x.Extent):
			return fmt.Sprintf("offset %d is %d of %d indices", i, v, x.Extent), true
		default:
			least = v
		}
	}
	return "", false
}
