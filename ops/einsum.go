package ops

import (
	"fmt"
	"slices"
	"strings"
)

// einsum: the sum of products that an equation describes, "bij,bjk->bik". Every letter is
// a dimension; those that the result does not have are summed over. "..." stands for
// any dimensions in front, which broadcast. Operands are contracted from left to right.
func init() {
	register(&Op{
		Schema: "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
		Infer:  inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			operands, out := e.equation(c)
			sum := operands[0]
			for i, t := range operands[1:] {
				later := operands[2+i:]
				sum = e.contract(sum, t, func(label int) bool {
					return slices.Contains(out, label) ||
						slices.ContainsFunc(later, func(t labeled) bool { return t.has(label) })
				})
			}
			sum = e.without(sum, func(label int) bool { return !slices.Contains(out, label) })
			for _, label := range out {
				if !sum.has(label) { // of extent 1 in every operand
					sum.v = e.Call("unsqueeze", sum.v, -1)
					sum.labels = append(sum.labels[:len(sum.labels):len(sum.labels)], label)
				}
			}
			return []Value{e.permuted(sum, out).v}
		},
		Samples: samplesOf(
			Sample{"bij,bjk->bik", []T{S(2, 3, 4), S(2, 4, 2)}},
			Sample{"...i, j... -> j...", []T{S(2, 3, 4), S(5, 3)}},
			Sample{"iij", []T{S(3, 3, 2)}},
			Sample{"ab,bc,c", []T{S(2, 3), S(3, 4), S(4)}}),
	})
}

// equation reads the operands, diagonals taken, with a label for every letter, and the
// labels of the result. The dimensions of an ellipsis have labels below 0, the last -1.
func (e Emit) equation(c *Call) (operands []labeled, out []int) {
	equation := strings.ReplaceAll(c.Args[0].Text(), " ", "")
	terms, result, explicit := strings.Cut(equation, "->")
	lists, tensors := strings.Split(terms, ","), c.Tensors(1)
	if len(lists) != len(tensors) || len(tensors) == 0 {
		panic(c.ArgErrorf("equation %q has %d operands, but %d are given", equation, len(lists),
			len(tensors)))
	}
	wide, uses := 0, map[int]int{}
	for i, list := range lists {
		rank := len(tensors[i].Type().Shape)
		letters := strings.Replace(list, "...", "", 1)
		covered := rank - len(letters)
		if covered < 0 || covered > 0 && len(letters) == len(list) {
			panic(c.ShapeErrorf("operand %d has %d dimensions, which %q does not describe", i, rank, list))
		}
		wide = max(wide, covered)
		labels := c.labelsOf(equation, list, covered)
		for _, label := range labels {
			uses[label]++
		}
		operands = append(operands, e.diagonals(labeled{tensors[i], labels}))
	}
	if err := sameExtents(c, operands); err != nil {
		panic(err)
	}
	if explicit {
		out = c.labelsOf(equation, result, wide)
		for i, label := range out {
			if uses[label] == 0 && label >= 0 || slices.Contains(out[:i], label) {
				panic(c.ArgErrorf("the result of %q names %c twice, or no operand does", equation, rune(label)))
			}
		}
		return operands, out
	}
	for label, n := range uses {
		if n == 1 || label < 0 {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return operands, out
}

// labelsOf reads one operand of an equation whose ellipsis covers n dimensions.
func (c *Call) labelsOf(equation, list string, n int) (labels []int) {
	front, back, dots := strings.Cut(list, "...")
	read := func(letters string) {
		for _, r := range letters {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
				panic(c.ArgErrorf("equation %q: unexpected %q", equation, r))
			}
			labels = append(labels, int(r))
		}
	}
	read(front)
	if dots {
		for k := range n {
			labels = append(labels, k-n)
		}
	}
	read(back)
	return labels
}

// diagonals keeps, of dimensions with one label, the places where they are equal.
func (e Emit) diagonals(t labeled) labeled {
	for i := 0; i < len(t.labels); i++ {
		j := i + 1 + slices.Index(t.labels[i+1:], t.labels[i])
		if j == i {
			continue
		}
		label := t.labels[i]
		if dims := t.v.Type().Shape; dims[i] != dims[j] {
			panic(&ShapeError{Op: "einsum", Detail: fmt.Sprintf("the same letter names dimensions of %d and %d", dims[i], dims[j])})
		}
		t.v = e.Call("diagonal", t.v, 0, i, j)
		t.labels = append(slices.Delete(slices.Delete(slices.Clone(t.labels), j, j+1), i, i+1), label)
		i = -1
	}
	return t
}
