package stablehlo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// TestGathers compares gathers of random slices with plain loops: with dimensions that slices lack, batches, any order
// of the components, these in any dimension of the indices or in none, and starts outside, which move inside.
func TestGathers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for i := range 80 {
		d := []dtype.DType{dtype.F32, dtype.I32, dtype.I64, dtype.F64}[i%4]
		places := []dtype.DType{dtype.I32, dtype.I64, dtype.I8}[i%3]
		rank := 1 + r.IntN(4)
		dims, sizes := make([]int, rank), make([]int, rank)
		var collapsed, batching, window []int
		for k := range rank {
			dims[k] = 1 + r.IntN(4)
			switch sizes[k] = 1; r.IntN(4) {
			case 0:
				collapsed = append(collapsed, k)
			case 1:
				batching = append(batching, k)
			default:
				sizes[k] = 1 + r.IntN(dims[k])
				window = append(window, k)
			}
		}
		batching = slices.Clone(batching)
		r.Shuffle(len(batching), func(a, b int) { batching[a], batching[b] = batching[b], batching[a] })
		// The indices have a dimension for each batch, some of their own, and perhaps one for the components.
		indexDims := make([]int, len(batching)+r.IntN(3))
		order := r.Perm(len(indexDims))
		indexBatching := order[:len(batching)]
		for k := range indexDims {
			indexDims[k] = 1 + r.IntN(3)
		}
		for k, at := range indexBatching {
			indexDims[at] = dims[batching[k]]
		}
		batch := slices.Clone(indexDims)
		starts := slices.DeleteFunc(r.Perm(rank), func(k int) bool { return slices.Contains(batching, k) })
		starts = starts[:r.IntN(len(starts)+1)]
		vector := len(indexDims)
		if len(starts) != 1 || r.IntN(2) == 0 {
			vector = r.IntN(len(indexDims) + 1)
			indexDims = slices.Insert(indexDims, vector, len(starts))
			indexBatching = slices.Clone(indexBatching)
			for k, at := range indexBatching {
				if at >= vector {
					indexBatching[k]++
				}
			}
		}
		out := make([]int, len(batch)+len(window))
		offsets := r.Perm(len(out))[:len(window)]
		slices.Sort(offsets)
		for k, n := 0, 0; k < len(out); k++ {
			if at := slices.Index(offsets, k); at >= 0 {
				out[k] = sizes[window[at]]
			} else {
				out[k] = batch[n]
				n++
			}
		}
		x, index := small(r, d, dims), buf.New(places, indexDims)
		for k := range index.Len() {
			index.SetInt64(k, int64(r.IntN(8)-2))
		}
		text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%i: %[2]s) -> %[3]s {
			%%0 = "stablehlo.gather"(%%x, %%i) {dimension_numbers = #stablehlo.gather<offset_dims = %[4]s, collapsed_slice_dims = %[5]s, operand_batching_dims = %[6]s, start_indices_batching_dims = %[7]s, start_index_map = %[8]s, index_vector_dim = %[9]d>, slice_sizes = array<i64: %[10]s>} : (%[1]s, %[2]s) -> %[3]s
			return %%0 : %[3]s
		}`, typeOf(dims, d), typeOf(indexDims, places), typeOf(out, d), listOf(offsets), listOf(collapsed), listOf(batching),
			listOf(indexBatching), listOf(starts), vector, listOf(sizes)[1:len(listOf(sizes))-1])
		got := compute(t, text, x, index)[0]
		require.True(t, shape.Equal(out, got.Shape), text)
		each(out, func(at []int) {
			var inBatch, inSlice []int
			for k, n := range at {
				if slices.Contains(offsets, k) {
					inSlice = append(inSlice, n)
				} else {
					inBatch = append(inBatch, n)
				}
			}
			from := make([]int, rank)
			for c, k := range starts {
				place1 := slices.Clone(inBatch)
				if vector < len(indexDims) {
					place1 = slices.Insert(place1, vector, c)
				}
				from[k] = min(max(int(index.Int64(place(indexDims, place1))), 0), dims[k]-sizes[k])
			}
			for b, k := range batching {
				place1 := slices.Clone(inBatch)
				if vector < len(indexDims) {
					place1 = slices.Insert(place1, vector, 0)
				}
				from[k] = place1[indexBatching[b]]
			}
			for w, k := range window {
				from[k] += inSlice[w]
			}
			require.Equal(t, number(x, place(dims, from)), number(got, place(out, at)), text)
		})
	}
}

// TestPads compares paddings of both signs and between elements with plain loops. What only crops fills nothing.
func TestPads(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for i := range 60 {
		d := []dtype.DType{dtype.F32, dtype.I32}[i%2]
		dims := make([]int, r.IntN(4))
		low, high, inner, out := slices.Clone(dims), slices.Clone(dims), slices.Clone(dims), slices.Clone(dims)
		crops := r.IntN(4) == 0
		for k := range dims {
			dims[k], low[k], high[k] = r.IntN(4), r.IntN(5)-2, r.IntN(5)-2
			if inner[k] = r.IntN(3); crops {
				low[k], high[k], inner[k] = min(low[k], 0), min(high[k], 0), 0
			}
			spread := max(0, dims[k]+(dims[k]-1)*inner[k])
			low[k] = max(low[k], -spread)
			high[k] = max(high[k], -spread-min(low[k], 0), -spread-low[k])
			out[k] = spread + low[k] + high[k]
		}
		x, value := small(r, d, dims), buf.New(d, nil)
		value.SetFloat64(0, 9)
		if !d.IsFloat() {
			value.SetInt64(0, 9)
		}
		text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%v: %[2]s) -> %[3]s {
			%%0 = stablehlo.pad %%x, %%v, low = %[4]s, high = %[5]s, interior = %[6]s : (%[1]s, %[2]s) -> %[3]s
			return %%0 : %[3]s
		}`, typeOf(dims, d), typeOf(nil, d), typeOf(out, d), listOf(low), listOf(high), listOf(inner))
		got := compute(t, text, x, value)[0]
		each(out, func(at []int) {
			from, want := make([]int, len(dims)), 9.0
			inside := true
			for k, n := range at {
				n -= low[k]
				from[k] = n / (inner[k] + 1)
				inside = inside && n >= 0 && n%(inner[k]+1) == 0 && from[k] < dims[k]
			}
			if inside {
				want = number(x, place(dims, from))
			}
			require.Equal(t, want, number(got, place(out, at)), text)
		})
		if crops {
			module, err := mlir.Parse("m", []byte(text))
			require.NoError(t, err)
			require.NoError(t, stablehlo.Lower(module))
			require.NotContains(t, module.String(), "linalg.fill", text)
		}
	}
}
