package ops

import "github.com/go-acap/acap/base/dtype"

// any, all and count_nonzero. The result of any and all is bool, except for u8,
// which keeps its type.
func init() {
	truth := func(d dtype.DType) dtype.DType {
		if d == dtype.U8 {
			return d
		}
		return dtype.Bool
	}
	count := func(dtype.DType) dtype.DType { return dtype.I64 }
	countOf := Folding{always(0), isTrue, (*Scalars).Add}
	for _, o := range []struct {
		schema string
		place
		r       Folding
		typ     func(dtype.DType) dtype.DType
		samples []Sample
	}{
		{"any(Tensor self) -> Tensor", place{-1, -1}, anyOf, truth, []Sample{{S(3, 4)}}},
		{"all(Tensor self) -> Tensor", place{-1, -1}, allOf, truth, []Sample{{S(3, 4)}}},
		{"any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", place{1, 2}, anyOf, truth,
			[]Sample{{S(3, 4), 1}, {S(), 0}}},
		{"all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", place{1, 2}, allOf, truth,
			[]Sample{{S(3, 4), 1, true}}},
		{"any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
			place{1, 2}, anyOf, truth, []Sample{{S(3, 4), []int{0, 1}}, {mask(2, 3, 2), []int{0, -1}, true}}},
		{"all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
			place{1, 2}, allOf, truth, []Sample{{S(3, 4)}, {mask(3, 2), []int{1}}}},
		{"count_nonzero(Tensor self, int? dim=None) -> Tensor", place{1, -1}, countOf, count,
			[]Sample{{S(3, 4)}, {S(3, 4), 0}}},
		{"count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", place{1, -1}, countOf, count,
			[]Sample{{S(3, 4), []int{0, 1}}}},
	} {
		register(&Op{
			Schema:  o.schema,
			Infer:   o.infer(-1, o.typ),
			Lower:   o.lower(o.r, nil),
			Samples: samplesOf(o.samples...),
		})
	}
}
