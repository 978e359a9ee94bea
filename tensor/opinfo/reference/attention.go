package reference

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Attention of every query: the mean of the values, weighted by exp(q·k/√d + mask); 0 where no key is seen. A mask is a
// matrix of queries and keys.
func init() {
	Functions["scaled_dot_product_attention"] = func(a Args) []Result {
		q, k, v := a.tensor(0), a.tensor(1), a.tensor(2)
		rank := len(q.Shape)
		rows, width, keys, out := q.Shape[rank-2], q.Shape[rank-1], k.Shape[rank-2], v.Shape[rank-1]
		dims := append(append([]int{}, q.Shape[:rank-1]...), out)
		r := zeros(q.DType, dims...)
		var mask *buf.Buffer
		if len(a) > 3 {
			mask, _ = a[3].(*buf.Buffer)
		}
		for query := range q.Len() / width {
			b, i := query/rows, query%rows
			weights, total := make([]float64, keys), 0.0
			for j := range keys {
				if a.flag(5) && j > i {
					continue
				}
				dot := 0.0
				for d := range width {
					dot += q.Float64(query*width+d) * k.Float64((b*keys+j)*width+d)
				}
				bias := 0.0
				if mask != nil {
					if bias = mask.Float64(i*keys + j); mask.DType == dtype.Bool {
						bias = math.Log(bias) // 0 is shown, -Inf hidden
					}
				}
				weights[j] = math.Exp(dot/math.Sqrt(float64(width)) + bias)
				total += weights[j]
			}
			for at := range keys * out {
				if j, d := at/out, at%out; total > 0 {
					r.Values[query*out+d] += weights[j] / total * v.Float64((b*keys+j)*out+d)
				}
			}
		}
		return []Result{r}
	}
}
