package sampling

import (
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
