package ops

import (
	"fmt"
	"slices"
	"strings"
)

// einsum: the sum of products that an equation describes, "bij,bjk->bik". Every letter is
// a dimension; those that the result does not have are summed over. "..." stands for
// any dimensions in front, which broadcast. Operands are contracted from left to right, or as path says.
func init() {
	register(&Op{
		Schema: "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
		Infer:  inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			operands, out := e.equation(c)
			for _, pair := range c.contractions(len(operands)) {
				a, b := operands[pair[0]], operands[pair[1]]
				first, second := min(pair[0], pair[1]), max(pair[0], pair[1])
				operands = slices.Delete(slices.Delete(operands, second, second+1), first, first+1)
				operands = append(operands, e.contract(a, b, func(label int) bool {
					return slices.Contains(out, label) ||
						slices.ContainsFunc(operands, func(t labeled) bool { return t.has(label) })
				}))
			}
			sum := operands[0]
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

// contractions are the pairs of operands that are contracted one after the other, by path or from left to right. The
// product of a pair becomes the last operand.
func (c *Call) contractions(operands int) (pairs [][2]int) {
	if !c.Has(2) {
		for n := operands; n > 1; n-- {
			if n == operands {
				pairs = append(pairs, [2]int{0, 1})
			} else {
				pairs = append(pairs, [2]int{n - 1, 0})
			}
		}
		return pairs
	}
	path := c.Ints(2)
	if want := max(2*(operands-1), 1); len(path) != want {
		panic(c.ArgErrorf("path %v has %d entries instead of %d for %d operands", path, len(path), want, operands))
	}
	for i := 0; i+1 < len(path); i += 2 {
		a, b, n := path[i], path[i+1], operands-i/2
		if a == b || min(a, b) < 0 || max(a, b) >= n {
			panic(c.ArgErrorf("path %v: %d and %d are not two of the %d operands that there are then", path, a, b, n))
		}
		pairs = append(pairs, [2]int{a, b})
	}
	return pairs
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
