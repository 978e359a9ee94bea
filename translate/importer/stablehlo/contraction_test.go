package stablehlo_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// small is a tensor of small whole numbers, whose sums are exact.
func small(r *rand.Rand, d dtype.DType, dims []int) *buf.Buffer {
	b := buf.New(d, dims)
	for i := range b.Len() {
		v := r.IntN(7) - 3
		if d.IsFloat() {
			b.SetFloat64(i, float64(v))
		} else {
			b.SetInt64(i, int64(v))
		}
	}
	return b
}

func number(b *buf.Buffer, i int) float64 {
	if b.DType.IsFloat() {
		return b.Float64(i)
	}
	return float64(b.Int64(i))
}

// each visits the indices of a shape in order.
func each(dims []int, f func(at []int)) {
	at := make([]int, len(dims))
	for range shape.Size(dims) {
		f(at)
		for d := len(dims) - 1; d >= 0; d-- {
			if at[d]++; at[d] < dims[d] {
				break
			}
			at[d] = 0
		}
	}
}

// place is the number of an index in a shape.
func place(dims, at []int) int {
	n := 0
	for d := range dims {
		n = n*dims[d] + at[d]
	}
	return n
}

func typeOf(dims []int, d dtype.DType) string {
	var b strings.Builder
	for _, n := range dims {
		fmt.Fprintf(&b, "%dx", n)
	}
	return "tensor<" + b.String() + d.String() + ">"
}

func listOf(v []int) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ", ") }

// TestDotGeneral compares products over random batches and contracted dimensions, in any order, with plain loops.
func TestDotGeneral(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for i := range 60 {
		d := []dtype.DType{dtype.F32, dtype.I32, dtype.I8, dtype.BF16}[i%4]
		out := map[dtype.DType]dtype.DType{dtype.I8: dtype.I32, dtype.BF16: dtype.F32}[d]
		if out == 0 || r.IntN(2) == 0 && d.IsFloat() {
			out = d
		}
		batches, sums := r.IntN(3), r.IntN(3)
		kinds := map[byte][]int{'b': nil, 'k': nil}
		for range batches {
			kinds['b'] = append(kinds['b'], 1+r.IntN(3))
		}
		for range sums {
			kinds['k'] = append(kinds['k'], r.IntN(4)*max(r.IntN(8), 1)%5)
		}
		// A side has the batches, the sums and dimensions of its own, in a random order.
		type side struct {
			dims, batch, sum, free []int
		}
		make1 := func() (s side) {
			own := r.IntN(3)
			order := r.Perm(batches + sums + own)
			s.dims, s.batch, s.sum = make([]int, len(order)), make([]int, batches), make([]int, sums)
			for k, at := range order {
				switch {
				case k < batches:
					s.dims[at], s.batch[k] = kinds['b'][k], at
				case k < batches+sums:
					s.dims[at], s.sum[k-batches] = kinds['k'][k-batches], at
				default:
					s.dims[at] = 1 + r.IntN(4)
				}
			}
			for at := range order {
				if order := at; !contains(s.batch, order) && !contains(s.sum, order) {
					s.free = append(s.free, order)
				}
			}
			return s
		}
		left, right := make1(), make1()
		dims := append([]int{}, kinds['b']...)
		for _, at := range left.free {
			dims = append(dims, left.dims[at])
		}
		for _, at := range right.free {
			dims = append(dims, right.dims[at])
		}
		x, y := small(r, d, left.dims), small(r, d, right.dims)
		text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%y: %[2]s) -> %[3]s {
			%%0 = stablehlo.dot_general %%x, %%y, batching_dims = %[4]s x %[5]s, contracting_dims = %[6]s x %[7]s : (%[1]s, %[2]s) -> %[3]s
			return %%0 : %[3]s
		}`, typeOf(left.dims, d), typeOf(right.dims, d), typeOf(dims, out), listOf(left.batch), listOf(right.batch), listOf(left.sum), listOf(right.sum))
		got := compute(t, text, x, y)[0]
		require.True(t, shape.Equal(dims, got.Shape))
		each(dims, func(at []int) {
			want := 0.0
			a, b := make([]int, len(left.dims)), make([]int, len(right.dims))
			for k := range batches {
				a[left.batch[k]], b[right.batch[k]] = at[k], at[k]
			}
			for k, p := range left.free {
				a[p] = at[batches+k]
			}
			for k, p := range right.free {
				b[p] = at[batches+len(left.free)+k]
			}
			each(kinds['k'], func(sum []int) {
				for k, v := range sum {
					a[left.sum[k]], b[right.sum[k]] = v, v
				}
				want += number(x, place(left.dims, a)) * number(y, place(right.dims, b))
			})
			if out == dtype.BF16 && (want > 256 || want < -256) {
				return // rounded
			}
			require.Equal(t, want, number(got, place(dims, at)), text)
		})
	}
}

func contains(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// TestConvolutions compares convolutions with paddings of both signs, steps, holes in both operands, reversed windows
// and groups of features and of batches, with plain loops.
func TestConvolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	for i := range 80 {
		d := []dtype.DType{dtype.I32, dtype.F32}[i%2]
		rank := 1 + r.IntN(4)
		features, batches := 1, 1
		switch r.IntN(3) {
		case 0:
			features = 2
		case 1:
			batches = 2
		}
		n, perGroup, k := batches*(1+r.IntN(2)), 1+r.IntN(2), features*batches*(1+r.IntN(2))
		channels := perGroup * features
		in, kernel, out := []int{n, channels}, []int{k, perGroup}, []int{n / batches, k}
		var strides, low, high, inner, outer, reversed, spatial []int
		for range rank {
			s, w := 1+r.IntN(5), 1+r.IntN(3)
			step, holes, spread := 1+r.IntN(2), 1+r.IntN(2), 1+r.IntN(2)
			a, b := r.IntN(3)-r.IntN(2), r.IntN(3)
			extent := (s-1)*spread + 1 + a + b
			reach := (w-1)*holes + 1
			if extent < reach {
				b += reach - extent
				extent = reach
			}
			in, kernel, out = append(in, s), append(kernel, w), append(out, (extent-reach)/step+1)
			strides, low, high = append(strides, step), append(low, a), append(high, b)
			inner, outer, reversed = append(inner, spread), append(outer, holes), append(reversed, r.IntN(2))
			spatial = append(spatial, len(spatial))
		}
		x, w := small(r, d, in), small(r, d, kernel)
		var window []string
		var truths []string
		for k := range rank {
			window = append(window, fmt.Sprintf("[%d, %d]", low[k], high[k]))
			truths = append(truths, []string{"false", "true"}[reversed[k]])
		}
		numbers := strings.Trim(listOf(spatial), "[]")
		text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%y: %[2]s) -> %[3]s {
			%%0 = stablehlo.convolution(%%x, %%y) dim_numbers = [b, f, %[4]s]x[o, i, %[4]s]->[b, f, %[4]s],
				window = {stride = %[5]s, pad = [%[6]s], lhs_dilate = %[7]s, rhs_dilate = %[8]s, reverse = [%[9]s]}
				{batch_group_count = %[10]d : i64, feature_group_count = %[11]d : i64} : (%[1]s, %[2]s) -> %[3]s
			return %%0 : %[3]s
		}`, typeOf(in, d), typeOf(kernel, d), typeOf(out, d), numbers, listOf(strides), strings.Join(window, ", "), listOf(inner), listOf(outer),
			strings.Join(truths, ", "), batches, features)
		got := compute(t, text, x, w)[0]
		require.True(t, shape.Equal(out, got.Shape), text)
		each(out, func(at []int) {
			want := 0.0
			each(kernel[1:], func(tap []int) {
				from := []int{at[0], tap[0] + at[1]/(k/features)*perGroup}
				if batches > 1 {
					from = []int{at[1]/(k/batches)*(n/batches) + at[0], tap[0]}
				}
				to := []int{at[1], tap[0]}
				for s := range rank {
					v := at[2+s]*strides[s] + tap[1+s]*outer[s] - low[s]
					if v < 0 || v%inner[s] != 0 || v/inner[s] >= in[2+s] {
						return
					}
					from = append(from, v/inner[s])
					if reversed[s] != 0 {
						to = append(to, kernel[2+s]-1-tap[1+s])
					} else {
						to = append(to, tap[1+s])
					}
				}
				want += number(x, place(in, from)) * number(w, place(kernel, to))
			})
			require.Equal(t, want, number(got, place(out, at)), text)
		})
	}
}
