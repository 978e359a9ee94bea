package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// indexing is how an operand of a random loop nest is indexed: the coefficient of each loop in each dimension, and a
// constant.
type indexing struct {
	coefficients [][]int
	constants    []int
}

func (x indexing) String() string {
	var results []string
	for d, list := range x.coefficients {
		var terms []string
		for l, c := range list {
			switch {
			case c == 1:
				terms = append(terms, fmt.Sprintf("d%d", l))
			case c != 0:
				terms = append(terms, fmt.Sprintf("d%d * %d", l, c))
			}
		}
		if x.constants[d] > 0 || len(terms) == 0 {
			terms = append(terms, fmt.Sprint(x.constants[d]))
		}
		results = append(results, strings.Join(terms, " + "))
	}
	return strings.Join(results, ", ")
}

// shape is the least shape that has all elements which are read.
func (x indexing) shape(extents []int) []int {
	out := make([]int, len(x.coefficients))
	for d, list := range x.coefficients {
		out[d] = 1 + x.constants[d]
		for l, c := range list {
			out[d] += c * (extents[l] - 1)
		}
	}
	return out
}

// alone reports whether a dimension is indexed by a loop and nothing else.
func (x indexing) alone(d int) bool {
	sum := 0
	for _, c := range x.coefficients[d] {
		sum += c
	}
	return sum == 1 && x.constants[d] == 0
}

// single indexes dimensions by loops, one each.
func single(count int, loops ...int) indexing {
	x := indexing{make([][]int, len(loops)), make([]int, len(loops))}
	for d, l := range loops {
		x.coefficients[d] = make([]int, count)
		x.coefficients[d][l] = 1
	}
	return x
}

// TestSumsOfProducts compares sums of products with the reference: sums of convolutions and products of matrices with
// their dimensions in any order, with steps, holes, groups and borders, and sums that are nearly convolutions: a window
// of two sums or of none, steps along the filter, places that are shifted, loops that an operand lacks, sums that begin
// elsewhere than at 0.
func TestSumsOfProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for range 300 {
		loops := 3 + r.IntN(5)
		extents, kinds := make([]int, loops), make([]string, loops)
		var parallel, sums []int
		for l := range loops {
			extents[l], kinds[l] = 1+r.IntN(4), "parallel"
			if l > 0 && r.IntN(2) == 0 {
				kinds[l] = "reduction"
				sums = append(sums, l)
			} else {
				parallel = append(parallel, l)
			}
		}
		if len(sums) == 0 {
			sums, parallel = parallel[len(parallel)-1:], parallel[:len(parallel)-1]
			kinds[sums[0]] = "reduction"
		}
		// The filter has the sums and some parallel loops, the image some of both, and windows over pairs.
		var inFilter, inImage []int
		var windows [][2]int
		free := slices.Clone(parallel)
		for _, l := range sums {
			inFilter = append(inFilter, l)
			switch {
			case len(free) > 0 && r.IntN(3) > 0:
				windows = append(windows, [2]int{free[0], l})
				free = free[1:]
			case r.IntN(4) > 0:
				inImage = append(inImage, l)
			}
		}
		for _, l := range free {
			switch r.IntN(5) {
			case 0, 1:
				inImage = append(inImage, l)
			case 2, 3:
				inFilter = append(inFilter, l)
			default:
				inImage, inFilter = append(inImage, l), append(inFilter, l)
			}
		}
		r.Shuffle(len(inFilter), func(i, j int) { inFilter[i], inFilter[j] = inFilter[j], inFilter[i] })
		filter, image := single(loops, inFilter...), single(loops, inImage...)
		for _, w := range windows {
			list := make([]int, loops)
			list[w[0]], list[w[1]] = 1+r.IntN(2), 1+r.IntN(2)
			at := r.IntN(len(image.coefficients) + 1)
			image.coefficients, image.constants = slices.Insert(image.coefficients, at, list), slices.Insert(image.constants, at, 0)
		}
		switch d := r.IntN(max(len(image.coefficients), 1)); { // nearly
		case len(image.coefficients) == 0 || r.IntN(2) == 0:
		case r.IntN(4) == 0:
			image.constants[d] = 1 + r.IntN(2)
		case r.IntN(4) > 0: // a diagonal, or a window of more
			image.coefficients[d][r.IntN(loops)] = 1 + r.IntN(2)
		default:
			filter.coefficients[r.IntN(len(inFilter))][sums[0]] = 2
		}
		out := single(loops, parallel...)
		r.Shuffle(len(parallel), func(i, j int) {
			out.coefficients[i], out.coefficients[j] = out.coefficients[j], out.coefficients[i]
		})
		// An identity of all loops gives their extents.
		of, dims := single(loops, r.Perm(loops)...), image.shape(extents)
		inside, low := slices.Clone(dims), make([]int, len(dims))
		for d := range dims {
			if !image.alone(d) {
				dims[d] += r.IntN(4) / 3 // elements that nothing reads
			}
			inside[d] = dims[d]
			if dims[d] > 2 && r.IntN(3) == 0 {
				low[d] = r.IntN(2)
				inside[d] -= 1 + r.IntN(2)
			}
			low[d] = min(low[d], dims[d]-inside[d])
		}
		high := make([]int, len(dims))
		for d := range dims {
			high[d] = dims[d] - inside[d] - low[d]
		}
		elem := []string{"f32", "i32"}[r.IntN(2)]
		mul, add, zero := "arith.mulf", "arith.addf", "0.0"
		if elem == "i32" {
			mul, add, zero = "arith.muli", "arith.addi", "0"
		}
		of1 := func(dims []int) string {
			text := ""
			for _, n := range dims {
				text += fmt.Sprintf("%dx", n)
			}
			return "tensor<" + text + elem + ">"
		}
		list := func(v []int) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ", ") }
		var b strings.Builder
		xType, wType, yType, kType := of1(dims), of1(filter.shape(extents)), of1(out.shape(extents)), of1(of.shape(extents))
		fmt.Fprintf(&b, "func.func @main(%%a: %s, %%w: %s, %%k: %s, %%i: %s) -> %s {\n%%c = arith.constant %s : %s\n", of1(inside), wType, kType, yType, yType, zero, elem)
		x := "%a"
		if !slices.Equal(inside, dims) {
			x = "%x"
			fmt.Fprintf(&b, "%%x = tensor.pad %%a low%s high%s {\n^bb0(%s):\ntensor.yield %%c : %s\n} : %s to %s\n", list(low), list(high),
				strings.Join(slices.Collect(func(yield func(string) bool) {
					for d := range dims {
						if !yield(fmt.Sprintf("%%p%d: index", d)) {
							return
						}
					}
				}), ", "), elem, of1(inside), xType)
		}
		start := "%i"
		if r.IntN(4) > 0 {
			start = "%z"
			fmt.Fprintf(&b, "%%e = tensor.empty() : %[1]s\n%%z = linalg.fill ins(%%c : %[2]s) outs(%%e : %[1]s) -> %[1]s\n", yType, elem)
		}
		var names []string
		for l := range loops {
			names = append(names, fmt.Sprintf("d%d", l))
		}
		domain := "affine_map<(" + strings.Join(names, ", ") + ") -> ("
		// The third operand is read where a loop is in no other alone.
		known := map[int]bool{}
		for _, o := range []indexing{image, filter, out} {
			for d, c := range o.coefficients {
				if o.alone(d) {
					known[slices.Index(c, 1)] = true
				}
			}
		}
		maps := []string{domain + image.String() + ")>", domain + filter.String() + ")>"}
		ins, types, args := x+", %w", xType+", "+wType, "%p: "+elem+", %q: "+elem
		if len(known) < loops {
			maps, ins, types, args = append(maps, domain+of.String()+")>"), ins+", %k", types+", "+kType, args+", %n: "+elem
		}
		fmt.Fprintf(&b, "%%y = linalg.generic {indexing_maps = [%s], iterator_types = [\"%s\"]} ins(%s : %s) outs(%s : %s) {\n^bb0(%s, %%s: %s):\n%%m = %s %%p, %%q : %s\n%%f = %s %%s, %%m : %s\nlinalg.yield %%f : %s\n} -> %s\nreturn %%y : %s\n}",
			strings.Join(append(maps, domain+out.String()+")>"), ", "), strings.Join(kinds, `", "`), ins, types, start, yType, args, elem,
			mul, elem, add, elem, elem, yType, yType)
		m, err := mlir.Parse("sum.mlir", []byte(b.String()))
		require.NoError(t, err, b.String())
		f := m.Funcs()[0]
		t.Run("", func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Log(b.String())
				}
			}()
			compare(t, f, sample(f))
		})
	}
}
