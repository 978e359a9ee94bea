package sampling

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJoin: of a few texts and of a whole vocabulary each pair of a text and its beginning is joined once, in the order
// of the list.
func TestJoin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 40, 3000} {
		texts := make([]string, n)
		s := &Sampler{text: func(token int) string { return texts[token] }}
		for i := range texts {
			for range random.IntN(6) {
				texts[i] += string(rune('a' + random.IntN(4)))
			}
			s.list = append(s.list, candidate{token: i, p: random.Float64()})
		}
		want := make([]float64, n)
		for i, c := range s.list {
			want[i] = c.p
		}
		for i := range want {
			for k := range want {
				if i == k || want[i] == 0 || want[k] == 0 || texts[i] == "" || !strings.HasPrefix(texts[k], texts[i]) {
					continue
				}
				to, from := i, k
				if want[k] > want[i] {
					to, from = k, i
				}
				want[to], want[from] = want[to]+want[from], 0
			}
		}
		s.join()
		for i, c := range s.list {
			require.Equal(t, want[i], c.p, "%q", texts[i])
		}
	}
}

// TestFillEnds: of two candidates the one that ends the answer is left alone if its probability e is above 1/7, where
// 3·e·2 = 1-e.
func TestFillEnds(t *testing.T) {
	for e, left := range map[float64][]int{0.15: {1}, 0.13: {0}} {
		s := &Sampler{Options: Options{Infill: true}, ends: []int{1}, text: func(int) string { return "a" }}
		s.list = []candidate{{token: 0, score: float32(math.Log(1 - e))}, {token: 1, score: float32(math.Log(e))}}
		s.fill()
		require.Equal(t, left[0], s.list[0].token, e)
		require.Equal(t, e > 1.0/7, len(s.list) == 1, e)
	}
}
