package onnx

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/ops"
)

// term is an operand of an Einstein sum: a tensor and the letter of each of its dimensions.
// The dimensions of an ellipsis have the letters '0', '1', … counted from the last.
type term struct {
	x       ops.Value
	letters []rune
}

// einsum multiplies the operands pairwise from left to right; letters that later operands and the
// result do not have are summed on the way.
func (n *node) einsum(equation string, list []ops.Value) ops.Value {
	equation = strings.ReplaceAll(equation, " ", "")
	left, right, explicit := strings.Cut(equation, "->")
	parts := strings.Split(left, ",")
	if len(parts) != len(list) || len(list) == 0 {
		failf("equation %q has %d operands, not %d", equation, len(parts), len(list))
	}
	terms := make([]term, len(list))
	count, dots := map[rune]int{}, 0
	for i, part := range parts {
		terms[i] = term{list[i], n.letters(part, rank(list[i]))}
		terms[i] = n.diagonals(terms[i])
		for _, r := range terms[i].letters {
			if count[r]++; r <= '9' {
				dots = max(dots, int(r-'0')+1)
			}
		}
	}
	var out []rune
	if explicit {
		out = n.letters(right, -1, dots)
	} else {
		out = implicit(count, dots, left)
	}
	for i, r := range out {
		if count[r] == 0 && r > '9' || slices.Contains(out[:i], r) {
			failf("equation %q: letter %q of the result", equation, r)
		}
	}
	sum := terms[0]
	for i, t := range terms[1:] {
		needed := slices.Clone(out)
		for _, later := range terms[i+2:] {
			needed = append(needed, later.letters...)
		}
		sum = n.contract(sum, t, needed)
	}
	return n.arrange(n.sumOut(sum, out), out).x
}

// letters reads one operand. An ellipsis has the dimensions that the letters leave of rank, or dots.
func (n *node) letters(part string, rank int, dots ...int) []rune {
	before, after, ellipsis := strings.Cut(part, "...")
	named := []rune(before + after)
	for _, r := range named {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			failf("%q is no letter of a dimension", r)
		}
	}
	extra := rank - len(named)
	if rank < 0 {
		extra = dots[0]
	}
	if extra < 0 || extra > 9 || !ellipsis && extra > 0 && rank >= 0 {
		failf("%q does not name %d dimensions", part, rank)
	}
	out := []rune(before)
	if ellipsis {
		for i := extra - 1; i >= 0; i-- {
			out = append(out, '0'+rune(i))
		}
	}
	return append(out, []rune(after)...)
}

// implicit is the result without an arrow: the ellipsis and the letters that stand once, sorted.
func implicit(count map[rune]int, dots int, left string) []rune {
	var out, single []rune
	for i := dots - 1; i >= 0; i-- {
		out = append(out, '0'+rune(i))
	}
	for r := range count {
		if r > '9' && strings.Count(left, string(r)) == 1 {
			single = append(single, r)
		}
	}
	slices.Sort(single)
	return append(out, single...)
}

// diagonals takes the diagonal of letters that stand twice in an operand.
func (n *node) diagonals(t term) term {
	for i := 0; i < len(t.letters); i++ {
		j := slices.Index(t.letters[i+1:], t.letters[i])
		if j < 0 {
			continue
		}
		j += i + 1
		r := t.letters[i]
		t.x = n.Call("diagonal", t.x, 0, i, j)
		t.letters = append(slices.Delete(slices.Delete(slices.Clone(t.letters), j, j+1), i, i+1), r)
		i = -1
	}
	return t
}

// sumOut sums the dimensions whose letters are not kept.
func (n *node) sumOut(t term, keep []rune) term {
	var dims []int
	var rest []rune
	for i, r := range t.letters {
		if slices.Contains(keep, r) {
			rest = append(rest, r)
		} else {
			dims = append(dims, i)
		}
	}
	if len(dims) == 0 {
		return t
	}
	return term{n.sum(t.x, dims, false), rest}
}

// arrange permutes the dimensions to the order of letters; missing ones become extents of 1.
func (n *node) arrange(t term, order []rune) term {
	var perm []int
	var dims []int
	for _, r := range order {
		i := slices.Index(t.letters, r)
		if i < 0 {
			dims = append(dims, 1)
			continue
		}
		perm, dims = append(perm, i), append(dims, extents(t.x)[i])
	}
	x := t.x
	if !slices.IsSorted(perm) {
		x = n.Call("permute", x, perm)
	}
	if len(dims) != len(perm) {
		x = n.Call("reshape", x, dims)
	}
	return term{x, order}
}

// contract multiplies two operands as a batched matrix product: letters of both that are needed
// later are batch dimensions, letters of both that are not are summed.
func (n *node) contract(a, b term, needed []rune) term {
	a = n.sumOut(a, slices.Concat(needed, b.letters))
	b = n.sumOut(b, slices.Concat(needed, a.letters))
	var batch, left, right, inner []rune
	for _, r := range a.letters {
		switch {
		case !slices.Contains(b.letters, r):
			left = append(left, r)
		case slices.Contains(needed, r) || n.extent(a, r) != n.extent(b, r):
			batch = append(batch, r)
		default:
			inner = append(inner, r)
		}
	}
	for _, r := range b.letters {
		if !slices.Contains(a.letters, r) {
			right = append(right, r)
		}
	}
	stretch := func(t term, order []rune) ops.Value {
		x := n.arrange(t, order).x
		dims := slices.Clone(extents(x))
		for i, r := range batch {
			dims[i] = max(n.extent(a, r), n.extent(b, r))
		}
		return n.Expand(x, dims)
	}
	x := stretch(a, slices.Concat(batch, left, inner))
	y := stretch(b, slices.Concat(batch, inner, right))
	dx, dy := extents(x), extents(y)
	nb, nl, ni := len(batch), len(left), len(inner)
	batches := size(dx[:nb])
	product := n.Call("bmm",
		n.Call("reshape", x, []int{batches, size(dx[nb : nb+nl]), size(dx[nb+nl:])}),
		n.Call("reshape", y, []int{batches, size(dy[nb : nb+ni]), size(dy[nb+ni:])}))
	dims := slices.Concat(dx[:nb+nl], dy[nb+ni:])
	return n.sumOut(term{n.Reshape(product, dims), slices.Concat(batch, left, right)}, needed)
}

// extent returns that of a letter's dimension, 1 if there is none.
func (n *node) extent(t term, r rune) int {
	if i := slices.Index(t.letters, r); i >= 0 {
		return extents(t.x)[i]
	}
	return 1
}
