package reference

import "github.com/go-acap/acap/base/dtype"

// Products of bytes, summed in integers.
func init() {
	Functions["_int_mm"] = func(a Args) []Result {
		x, y := a.tensor(0), a.tensor(1)
		rows, depth, columns := x.Shape[0], x.Shape[1], y.Shape[1]
		r := zeros(dtype.I32, rows, columns)
		for i := range rows {
			for j := range columns {
				var sum int64
				for k := range depth {
					sum += x.Int64(i*depth+k) * y.Int64(k*columns+j)
				}
				r.Values[i*columns+j] = float64(sum)
			}
		}
		return []Result{r}
	}
	Functions["_int_convolution"] = func(a Args) []Result {
		x, w := a.tensor(0), a.tensor(1)
		stride, _ := a.ints(2)
		padding, _ := a.ints(3)
		dilation, _ := a.ints(4)
		groups := a[5].(int)
		// A convolution of one dimension is one of two in which the first has one element.
		xs, ws := planes(x.Shape), planes(w.Shape)
		if len(x.Shape) == 3 {
			stride, padding, dilation = append([]int{1}, stride...), append([]int{0}, padding...), append([]int{1}, dilation...)
		}
		high := (xs[2]+2*padding[0]-dilation[0]*(ws[2]-1)-1)/stride[0] + 1
		wide := (xs[3]+2*padding[1]-dilation[1]*(ws[3]-1)-1)/stride[1] + 1
		dims := []int{xs[0], ws[0], high, wide}
		if len(x.Shape) == 3 {
			dims = []int{xs[0], ws[0], wide}
		}
		r := zeros(dtype.I32, dims...)
		for at := range r.Values {
			n, o, p, q := at/wide/high/ws[0], at/wide/high%ws[0], at/wide%high, at%wide
			first := o / (ws[0] / groups) * ws[1] // input channel of the group
			var sum int64
			for k := range ws[1] * ws[2] * ws[3] {
				c, i, j := k/(ws[2]*ws[3]), k/ws[3]%ws[2], k%ws[3]
				i, j = p*stride[0]+i*dilation[0]-padding[0], q*stride[1]+j*dilation[1]-padding[1]
				if i >= 0 && j >= 0 && i < xs[2] && j < xs[3] {
					sum += x.Int64(((n*xs[1]+first+c)*xs[2]+i)*xs[3]+j) * w.Int64(o*ws[1]*ws[2]*ws[3]+k)
				}
			}
			r.Values[at] = float64(sum)
		}
		return []Result{r}
	}
}

// planes is a shape with two spatial dimensions.
func planes(dims []int) []int {
	if len(dims) == 3 {
		return []int{dims[0], dims[1], 1, dims[2]}
	}
	return dims
}
