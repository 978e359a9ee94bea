package onnx

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() { register("TfIdfVectorizer", countGrams) }

// countGrams counts the sequences of numbers or texts of a pool, the n-grams, in each row of the input, whose
// elements must be known. Elements of a gram may lie up to max_skip_count+1 apart.
func countGrams(n *node) {
	x, pool := n.gramsOf()
	if len(x.Shape) < 1 || len(x.Shape) > 2 {
		failf("n-grams of %v in %d dimensions are not supported", x.DType, len(x.Shape))
	}
	starts, _ := n.ints("ngram_counts")
	places, _ := n.ints("ngram_indexes")
	weights := n.floats("weights")
	shortest, longest := n.int("min_gram_length", 1), n.int("max_gram_length", 1)
	skips := n.int("max_skip_count", 0)
	mode := n.text("mode", "TF")
	if mode != "TF" && mode != "IDF" && mode != "TFIDF" || shortest < 1 || longest < shortest || skips < 0 ||
		longest > len(starts) || mode != "TF" && weights != nil && len(weights) != len(places) {
		failf("mode %q, grams of %d to %d numbers, %d skips, %d counts, %d weights", mode, shortest, longest, skips,
			len(starts), len(weights))
	}
	width := 0
	for _, p := range places {
		if p < 0 {
			failf("ngram_indexes has %d", p)
		}
		width = max(width, p+1)
	}
	rows, length := 1, x.Shape[len(x.Shape)-1]
	dims := []int{width}
	if len(x.Shape) == 2 {
		rows = x.Shape[0]
		dims = []int{rows, width}
	}
	out := n.buffer(dtype.F32, dims)
	gram := 0 // number of the gram in the pool
	for size := 1; size <= len(starts); size++ {
		from, to := starts[size-1], len(pool)
		if size < len(starts) {
			to = starts[size]
		}
		if from < 0 || to < from || to > len(pool) || (to-from)%size != 0 {
			failf("ngram_counts %v for a pool of %d numbers", starts, len(pool))
		}
		for ; from < to; from, gram = from+size, gram+1 {
			if size < shortest || size > longest {
				continue
			}
			if gram >= len(places) {
				failf("ngram_indexes has %d numbers for more grams", len(places))
			}
			for row := range rows {
				v := float64(n.countGram(pool[from:from+size], length, skips, func(i int) int { return int(x.Int64(row*length + i)) }))
				if mode == "IDF" {
					v = min(v, 1)
				}
				if mode != "TF" && weights != nil {
					v *= weights[gram]
				}
				at := row*width + places[gram]
				out.SetFloat64(at, out.Float64(at)+v)
			}
		}
	}
	n.setKnown(0, out)
}

// countGram counts a gram in a row of length numbers. Neighbours in the gram lie 1 to skips+1 apart in the row.
func (n *node) countGram(gram []int, length, skips int, row func(i int) int) (count int) {
	last := len(gram) - 1
	if last == 0 {
		skips = 0 // a gram of one number has no neighbours
	}
	n.ev.work(length * (min(skips, length) + 1))
	for gap := 1; gap <= skips+1 && last*gap < length; gap++ {
		for at := range length - last*gap {
			if n.matches(gram, func(k int) int { return row(at + k*gap) }) {
				count++
			}
		}
	}
	return count
}

// gramsOf returns the input and the pool; texts are numbered as the pool has them first.
func (n *node) gramsOf() (x *buf.Buffer, pool []int) {
	texts := n.attribute("pool_strings", proto.Strings)
	if texts == nil {
		x = n.known(0)
		pool, ok := n.ints("pool_int64s")
		if !ok || x.DType.IsFloat() || x.DType.IsComplex() {
			failf("n-grams of %v with a pool of %d numbers", x.DType, len(pool))
		}
		return x, pool
	}
	number := map[string]int{}
	for i, s := range texts.Strings {
		if _, ok := number[s]; !ok {
			number[s] = i
		}
		pool = append(pool, number[s])
	}
	in := n.texts(0)
	return n.numbers(dtype.I64, in.Shape, func(i int) int {
		if k, ok := number[in.Elements[i]]; ok {
			return k
		}
		return -1
	}), pool
}

// matches reports whether the numbers that at gives are the numbers of a gram.
func (n *node) matches(gram []int, at func(k int) int) bool {
	for k, v := range gram {
		if at(k) != v {
			return false
		}
	}
	return true
}
