package ops_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// sampleTensors turns a sample into the arguments of a boxed call. Its tensors are
// returned, too, those in lists included.
func sampleTensors(s ops.Sample, seed uint64, wide bool) (args []any, tensors []*tensor.Tensor) {
	r := rand.New(rand.NewPCG(seed, 7))
	fill := func(t ops.T) *tensor.Tensor {
		switch {
		case wide && t.DType == dtype.F32:
			t.DType = dtype.F64
		case wide && t.DType == dtype.C64:
			t.DType = dtype.C128
		}
		x := tensor.FromBuffer(t.Fill(r))
		tensors = append(tensors, x)
		return x
	}
	for _, a := range s {
		switch a := a.(type) {
		case ops.T:
			args = append(args, fill(a))
		case []ops.T:
			var list []*tensor.Tensor
			for _, t := range a {
				list = append(list, fill(t))
			}
			args = append(args, list)
		default:
			args = append(args, a)
		}
	}
	return args, tensors
}

// otherElements are the views that have other elements than their base: TestComplexViews, TestViewOfBits and
// TestNegView are theirs.
var otherElements = map[string]bool{"view_as_real": true, "view_as_complex": true, "real": true,
	"imag": true, "view.dtype": true, "conj": true, "_conj": true, "_neg_view": true}

// TestViewsAlias writes to every result of every view operator, and to its base,
// and compares with the elements that the operator itself says it takes.
func TestViewsAlias(t *testing.T) {
	checked := 0
	for _, op := range ops.All() {
		if !op.IsView() || op.Samples == nil || otherElements[op.Name()] {
			continue
		}
		for _, s := range op.Samples() {
			checked++
			args, tensors := sampleTensors(s, 1, false)
			base, n := tensors[0], tensors[0].NumElements()
			args[0] = tensor.Arange(n).View(base.Shape())
			var places [][]int64
			for _, v := range tensor.Call(op.Name(), args...) {
				places = append(places, v.Int64s())
			}
			args[0] = base
			views := tensor.Call(op.Name(), args...)
			want := slices.Clone(base.Float32s())
			for i, v := range views {
				tensor.Call("fill_.Scalar", v, float64(i+5))
				for _, p := range places[i] {
					want[p] = float32(i + 5)
				}
				require.Equal(t, want, base.Float32s(), "%s: base after a write to view %d", op.Name(),
					i)
			}
			tensor.Call("mul_.Scalar", base, 2)
			for i, v := range views {
				for k, p := range places[i] {
					require.Equal(t, 2*want[p], v.Float32s()[k],
						"%s: view %d after a write to the base", op.Name(), i)
				}
			}
		}
	}
	require.Greater(t, checked, 40)
}

func TestViewOfView(t *testing.T) {
	x := tensor.Arange(24).View([]int{2, 3, 4})
	v := tensor.Call("permute", x, []int{2, 0, 1})[0]
	v = tensor.Call("select.int", v, 0, -1)[0]
	v = tensor.Call("slice.Tensor", v, 1, 1)[0]
	require.Equal(t, []int64{7, 11, 19, 23}, v.Int64s())
	tensor.Call("zero_", v)
	got := x.Int64s()
	for i, e := range got {
		if i == 7 || i == 11 || i == 19 || i == 23 {
			require.Zero(t, e)
		} else {
			require.EqualValues(t, i, e)
		}
	}
}

// TestShapeInPlace changes the shape of a tensor that has views already.
func TestShapeInPlace(t *testing.T) {
	x := tensor.Arange(6).View([]int{2, 3}).Clone()
	row := tensor.Call("select.int", x, 0, 0)[0]
	tensor.Call("transpose_", x, 0, 1)
	require.Equal(t, []int{3, 2}, x.Shape())
	require.Equal(t, []int64{0, 3, 1, 4, 2, 5}, x.Int64s())
	later := tensor.Call("select.int", x, 0, 1)[0] // 1 and 4
	tensor.Call("fill_.Scalar", row, 9)
	require.Equal(t, []int64{9, 3, 9, 4, 9, 5}, x.Int64s(),
		"an older view still writes the same elements")
	require.Equal(t, []int64{9, 4}, later.Int64s())
	tensor.Call("unsqueeze_", x, 0)
	tensor.Call("fill_.Scalar", later, 7)
	require.Equal(t, []int{1, 3, 2}, x.Shape())
	require.Equal(t, []int64{9, 3, 7, 7, 9, 5}, x.Int64s())
	require.Equal(t, []int64{9, 7, 9}, row.Int64s())
}

func TestResize(t *testing.T) {
	x := tensor.Arange(6).Clone()
	same := tensor.Call("alias", x)[0]
	tensor.Call("resize_", x, []int{2, 2})
	require.Equal(t, []int64{0, 1, 2, 3}, x.Int64s())
	tensor.Call("fill_.Scalar", x, 8)
	require.Equal(t, []int64{8, 8, 8, 8, 4, 5}, same.Int64s(), "a smaller tensor stays an alias")
	tensor.Call("resize_", x, []int{6})
	require.Equal(t, []int64{8, 8, 8, 8, 4, 5}, x.Int64s())
	tensor.Call("fill_.Scalar", x, 3)
	require.Equal(t, []int64{3, 3, 3, 3, 3, 3}, x.Int64s())
}

// TestResizeOfViews: the shape is laid over the memory, and not over the elements of the view in their order. Values
// are PyTorch 2.14's.
func TestResizeOfViews(t *testing.T) {
	x := tensor.Arange(6).Clone()
	turned := x.View([]int{2, 3}).T()
	tensor.Call("resize_", turned, []int{2, 2})
	require.Equal(t, []int64{0, 1, 2, 3}, turned.Int64s())

	part := tensor.Call("slice.Tensor", x.View([]int{2, 3}), 1, 1, 3, 1)[0]
	tensor.Call("resize_", part, []int{2, 2})
	require.Equal(t, []int64{1, 2, 3, 4}, part.Int64s())
	later := tensor.Call("select.int", part, 0, 1)[0]
	tensor.Call("fill_.Scalar", part, 7)
	require.Equal(t, []int64{0, 7, 7, 7, 7, 5}, x.Int64s(), "it is still a view")
	require.Equal(t, []int64{7, 7}, later.Int64s())

	longer := tensor.Call("slice.Tensor", x, 0, 1, 3, 1)[0]
	tensor.Call("resize_", longer, []int{5})
	require.Equal(t, []int64{7, 7, 7, 7, 5}, longer.Int64s(), "the memory behind the view")
	tensor.Call("resize_as_", longer, tensor.Arange(1))
	require.Equal(t, []int64{7}, longer.Int64s())
	require.ErrorContains(t, tensor.Try(func() { tensor.Call("resize_", longer, []int{2, 3}) }),
		"[2 3] reaches beyond the memory that self is a view of: clone it first")
}

func TestCopyConverts(t *testing.T) {
	x := tensor.Call("arange", 6)[0].View([]int{2, 3}).Clone()
	tensor.Call("copy_", x, tensor.Of([]float32{1.9, -1.9, 7}))
	require.Equal(t, dtype.I64, x.DType())
	require.Equal(t, []int64{1, -1, 7, 1, -1, 7}, x.Int64s())
}
