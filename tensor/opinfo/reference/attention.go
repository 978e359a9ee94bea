package reference

import "math"

// Attention of every query: the mean of the values, weighted by exp(q·k/√d).
func init() {
	Functions["scaled_dot_product_attention"] = func(a Args) []Result {
		q, k, v := a.tensor(0), a.tensor(1), a.tensor(2)
		rank := len(q.Shape)
		rows, width, keys, out := q.Shape[rank-2], q.Shape[rank-1], k.Shape[rank-2], v.Shape[rank-1]
		dims := append(append([]int{}, q.Shape[:rank-1]...), out)
		r := zeros(q.DType, dims...)
		for b := range q.Len() / (rows * width) {
			for i := range rows {
				weights, total := make([]float64, keys), 0.0
				for j := range keys {
					if a.flag(5) && j > i {
						continue
					}
					dot := 0.0
					for d := range width {
						dot += q.Float64((b*rows+i)*width+d) * k.Float64((b*keys+j)*width+d)
					}
					weights[j] = math.Exp(dot / math.Sqrt(float64(width)))
					total += weights[j]
				}
				for j, w := range weights {
					for d := range out {
						r.Values[(b*rows+i)*out+d] += w / total * v.Float64((b*keys+j)*out+d)
					}
				}
			}
		}
		return []Result{r}
	}
}
