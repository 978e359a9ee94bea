package reference

import "github.com/go-acap/acap/base/buf"

func init() {
	// fill_diagonal writes where all indices are equal. With wrap, row r of a matrix of n columns has the number in
	// column r mod (n+1), and has none where that is n.
	Functions["fill_diagonal"] = func(a Args) []Result {
		dims := a.tensor(0).Shape
		r := Result{a.tensor(0).DType, dims, a.floats(0)}
		n := dims[len(dims)-1]
		for row := range dims[0] {
			column := row
			if a.flag(2) {
				column %= n + 1
			}
			if column >= n {
				continue
			}
			place := row
			for range dims[1:] {
				place = place*n + column
			}
			r.Values[place] = scalar(a[1])
		}
		return []Result{r}
	}
	Functions["_unsafe_index_put"] = func(a Args) []Result {
		self, values := a.tensor(0), a.floats(2)
		r := Result{self.DType, self.Shape, a.floats(0)}
		width := len(r.Values) / self.Shape[0]
		for i, row := range rows(a[1].([]*buf.Buffer)[0]) {
			for k := range width {
				p := &r.Values[row*width+k]
				if a.flag(3) {
					*p += values[i*width+k]
				} else {
					*p = values[i*width+k]
				}
			}
		}
		return []Result{r}
	}
	// The gradient of the values: the gradient of the rows that they were put into, summed over the dimensions that
	// were broadcast.
	Functions["_index_put_values_backward"] = func(a Args) []Result {
		grad, size := a.tensor(0), a[2].([]int)
		r := zeros(grad.DType, size...)
		width := grad.Shape[1]
		for i, row := range rows(a[1].([]*buf.Buffer)[0]) {
			for k := range width {
				at := []int{i, k}[2-len(size):]
				for d, n := range size {
					if n == 1 {
						at[d] = 0
					}
				}
				r.Values[offset(size, at)] += grad.Float64(row*width + k)
			}
		}
		return []Result{r}
	}
}

// rows lists the rows that an index names: its elements, or where a mask is true.
func rows(b *buf.Buffer) []int {
	var out []int
	for i, v := range elements(b) {
		if b.DType.IsInt() {
			out = append(out, int(v))
		} else if v != 0 {
			out = append(out, i)
		}
	}
	return out
}

// scalar is the value of a number that is an int or a float64.
func scalar(number any) float64 {
	if n, ok := number.(int); ok {
		return float64(n)
	}
	return number.(float64)
}
