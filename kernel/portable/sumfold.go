package portable

// fewSums is how many sums of a row are kept: as many as keep an addition of f64 running at all times.
const fewSums = 4

// sumFold adds f32, or products of two, to sums in f64, in one loop with the conversion. There are few sums, among which the
// lanes take turns, or one for each lane.
func sumFold(acc int, few bool, of ...int) step {
	switch product := len(of) == 2; {
	case few && product:
		return func(f *frame) {
			addProducts((*[fewSums]float64)(f.reg[acc]), lanesOf[float32](f, of[0]), lanesOf[float32](f, of[1]))
		}
	case few:
		return func(f *frame) { addNumbers((*[fewSums]float64)(f.reg[acc]), lanesOf[float32](f, of[0])) }
	case product:
		return func(f *frame) {
			acc := lanesOf[float64](f, acc)
			a, b := lanesOf[float32](f, of[0])[:len(acc)], lanesOf[float32](f, of[1])[:len(acc)]
			for i := range acc {
				acc[i] += float64(float32(a[i] * b[i]))
			}
		}
	}
	return func(f *frame) {
		acc := lanesOf[float64](f, acc)
		for i, x := range lanesOf[float32](f, of[0])[:len(acc)] {
			acc[i] += float64(x)
		}
	}
}

func addNumbers(sums *[fewSums]float64, list []float32) {
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for ; len(list) >= fewSums; list = list[fewSums:] {
		s0 += float64(list[0])
		s1 += float64(list[1])
		s2 += float64(list[2])
		s3 += float64(list[3])
	}
	*sums = [...]float64{s0, s1, s2, s3}
	for i, x := range list {
		sums[i] += float64(x)
	}
}

func addProducts(sums *[fewSums]float64, a, b []float32) {
	s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3]
	for ; len(a) >= fewSums && len(b) >= fewSums; a, b = a[fewSums:], b[fewSums:] {
		s0 += float64(float32(a[0] * b[0]))
		s1 += float64(float32(a[1] * b[1]))
		s2 += float64(float32(a[2] * b[2]))
		s3 += float64(float32(a[3] * b[3]))
	}
	*sums = [...]float64{s0, s1, s2, s3}
	for i, x := range a {
		sums[i] += float64(float32(x * b[i]))
	}
}
