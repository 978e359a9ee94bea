package onnx

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// transformed applies the post_transform of models that score: x has a row for each input and a column for each
// class or target.
func (n *node) transformed(x ops.Value, name string) ops.Value {
	switch name {
	case "NONE", "":
		return x
	case "SOFTMAX":
		return n.Call("softmax.int", x, -1)
	case "LOGISTIC":
		return n.Call("sigmoid", x)
	case "SOFTMAX_ZERO": // softmax of what is not zero; zeros stay
		last := []int{-1}
		largest := n.Call("amax", x, last, true)
		zero := n.Compare("le", n.Call("abs", x), 1e-7)
		power := n.Where(zero, n.Mul(x, n.Call("exp", n.Neg(largest))), n.Call("exp", n.Sub(x, largest)))
		total := n.sum(power, last, true)
		return n.Where(n.Compare("eq", total, 0), n.Number(0.5, x), n.Div(power, total))
	case "PROBIT":
		return n.Mul(n.Call("erfinv", n.Sub(n.Mul(x, 2), 1)), math.Sqrt2)
	}
	failf("post_transform %q is not supported", name)
	return nil
}

// classes are the names of a classifier's classes: texts or numbers.
type classes struct {
	texts   []string
	numbers []int
}

func (c classes) len() int { return max(len(c.texts), len(c.numbers)) }

// classes reads the attribute that names classes, as text or numbers, whichever the node has.
func (n *node) classes(numbers string) classes {
	c := classes{texts: n.strings("classlabels_strings")}
	c.numbers, _ = n.ints(numbers)
	if (len(c.texts) == 0) == (len(c.numbers) == 0) {
		failf("%d classes that are texts and %d that are numbers", len(c.texts), len(c.numbers))
	}
	return c
}

// setClasses makes the classes with the given places the first result; places that are not below the number of
// classes stand for none, which is 0 or an empty text.
func (n *node) setClasses(c classes, places ops.Value) {
	if c.texts == nil {
		n.set(n.Call("index_select", n.constant(vector(append(c.numbers, 0))), 0, places))
		return
	}
	b := n.ev.elements(&value{tensor: places}, "classes")
	list := make([]string, b.Len())
	for i := range list {
		if at := int(b.Int64(i)); at < len(c.texts) {
			list[i] = c.texts[at]
		}
	}
	n.setTexts(0, b.Shape, list)
}

// classify gives for every row of scores the class of the largest, and the scores. Where there is one column, its
// class holds from the threshold on.
func (n *node) classify(c classes, scores ops.Value, threshold float64) {
	columns := extents(scores)[1]
	if columns == 1 {
		below := n.Compare("lt", n.Call("select.int", scores, 1, 0), threshold)
		n.setClasses(c, n.Mul(n.To(below, dtype.I64), c.len()))
	} else {
		if columns != c.len() {
			failf("%d scores for %d classes", columns, c.len())
		}
		n.setClasses(c, n.Call("argmax", scores, 1, false))
	}
	n.set(nil, n.To(scores, dtype.F32))
}

// twoScores makes scores of both classes from one [N 1] that speaks for the second.
func (n *node) twoScores(x ops.Value) ops.Value {
	return n.Call("cat", []ops.Value{n.Neg(x), x}, 1)
}

// table is a known vector of whole numbers or floats to look up in.
func (n *node) table(count int, d dtype.DType, at func(b *buf.Buffer, i int)) ops.Value {
	b := n.buffer(d, []int{count})
	for i := range count {
		at(b, i)
	}
	return n.constant(b)
}
