package onnx

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGrams counts n-grams in all ways with plain loops: every sequence of numbers that lie equally far apart, by at
// most the skips and one.
func TestGrams(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	pool := []int{1, 2, 3, 1, 2, 2, 2, 3, 1, 1, 2, 3} // three single ones, three pairs, a triple
	starts := []int{0, 3, 9}
	grams := [][]int{{1}, {2}, {3}, {1, 2}, {2, 2}, {3, 1}, {1, 2, 3}}
	places := []int{3, 1, 0, 2, 6, 4, 5}
	weights := []float64{0.5, 2, 1, 3, 4, 0.25, 8}
	list := func(v any) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ",") }
	for _, mode := range []string{"TF", "IDF", "TFIDF"} {
		for skips := range 4 {
			for _, sizes := range [][2]int{{1, 1}, {1, 3}, {2, 3}, {2, 2}} {
				const rows, length = 2, 7
				var x []float64
				for range rows * length {
					x = append(x, float64(1+r.IntN(3)))
				}
				want := make([]float64, rows*7)
				for row := range rows {
					for k, gram := range grams {
						if len(gram) < sizes[0] || len(gram) > sizes[1] {
							continue
						}
						found := 0.0
						for gap := 1; gap == 1 || gap <= skips+1 && len(gram) > 1; gap++ {
							for at := range length {
								same := true
								for i, v := range gram {
									p := at + i*gap
									same = same && p < length && x[row*length+min(p, length-1)] == float64(v)
								}
								if same {
									found++
								}
							}
						}
						if mode == "IDF" {
							found = min(found, 1)
						}
						if mode != "TF" {
							found *= weights[k]
						}
						want[row*7+places[k]] = found
					}
				}
				node := fmt.Sprintf("y = TfIdfVectorizer(x) mode=%q max_skip_count=%d min_gram_length=%d max_gram_length=%d ngram_counts=%s ngram_indexes=%s pool_int64s=%s weights=[0.5,2.0,1.0,3.0,4.0,0.25,8.0]\n",
					mode, skips, sizes[0], sizes[1], list(starts), list(places), list(pool))
				check(t, line("x", "i64", []int{rows, length}, x...)+node+"want "+line("y", "f32", []int{rows, 7}, want...))
				if rows := 1; mode == "TF" {
					check(t, line("x", "i32", []int{length}, x[:length*rows]...)+node+"want "+line("y", "f32", []int{7}, want[:7]...))
				}
			}
		}
	}
	const head = "x = i64 3: 1 2 3\ny = TfIdfVectorizer(x) "
	refuseEach(t, head, map[string]string{
		`mode="TF"`:                  "n-grams of i64 with a pool of 0 numbers",
		`mode="odd" pool_int64s=[1]`: `mode "odd"`,
		`mode="TF" pool_int64s=[1] ngram_counts=[0] min_gram_length=0`:                           "grams of 0 to 1",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] min_gram_length=2`:                           "grams of 2 to 1",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] max_gram_length=2`:                           "grams of 1 to 2",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] max_skip_count=-1`:                           "-1 skips",
		`mode="IDF" pool_int64s=[1] ngram_counts=[0] ngram_indexes=[0] weights=[1.0,2.0]`:        "2 weights",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] ngram_indexes=[-1]`:                          "ngram_indexes has -1",
		`mode="TF" pool_int64s=[1,2] ngram_counts=[0] ngram_indexes=[0]`:                         "ngram_indexes has 1 numbers for more grams",
		`mode="TF" pool_int64s=[1] ngram_counts=[2] ngram_indexes=[0]`:                           "ngram_counts [2] for a pool of 1 numbers",
		`mode="TF" pool_int64s=[1] ngram_counts=[-1] ngram_indexes=[0]`:                          "ngram_counts [-1] for a pool of 1 numbers",
		`mode="TF" pool_int64s=[1,2] ngram_counts=[0,1] ngram_indexes=[0,1] max_gram_length=2`:   "for a pool of 2 numbers",
		`mode="TF" pool_int64s=[1,2,3] ngram_counts=[1,0] ngram_indexes=[0,1] max_gram_length=2`: "ngram_counts [1 0] for a pool of 3 numbers",
	})
}
