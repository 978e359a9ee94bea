package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/grammar"
)

// hundredths writes a number of hundredths with as many decimals as are asked for, up to three.
func hundredths(v, decimals int) string {
	sign, size := "", v
	if v < 0 {
		sign, size = "-", -v
	}
	text := fmt.Sprintf("%s%d.%02d0", sign, size/100, size%100)
	return strings.TrimSuffix(text[:len(text)-3+decimals], ".")
}

// TestBounds: of the numbers with two decimals those between two bounds are accepted, and no others.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 16 {
		scale := []int{100, 1, 1, 10}[r.IntN(4)] // of the bounds
		low, high := (r.IntN(2400/scale)-1200/scale)*scale, (r.IntN(2400/scale)-1200/scale)*scale
		low, high = min(low, high), max(low, high)+200
		words, open := []string{"minimum", "maximum"}, [2]bool{r.IntN(2) > 0, r.IntN(2) > 0}
		for i := range words {
			if open[i] {
				words[i] = map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}[words[i]]
			}
		}
		for _, kind := range []string{"integer", "number"} {
			schema := fmt.Sprintf(`{"type":%q,%q:%s,%q:%s}`, kind, words[0], hundredths(low, 2), words[1], hundredths(high, 2))
			g, err := grammar.Schema([]byte(schema))
			require.NoError(t, err, schema)
			for v := -1500; v <= 1500; v++ {
				within := (v > low || v == low && !open[0]) && (v < high || v == high && !open[1])
				for decimals := range 4 {
					whole := decimals == 0
					if v%100 != 0 && whole || v%10 != 0 && decimals == 1 {
						continue // other digits than the number's
					}
					require.Equal(t, within && (whole || kind == "number"), accepts(g, hundredths(v, decimals)), "%s: %s", schema, hundredths(v, decimals))
				}
			}
		}
	}
	for range 200 {
		low, high := r.IntN(2_000_000)-1_000_000, r.IntN(2_000_000)-1_000_000
		low, high = min(low, high), max(low, high)
		schema := fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, low, high)
		g, err := grammar.Schema([]byte(schema))
		require.NoError(t, err, schema)
		for _, far := range []int{0, 1, 9, 10, 11, 99, 100, 1000, 12345, 100_000} {
			for _, v := range []int{low - far, low + far, high - far, high + far} {
				require.Equal(t, low <= v && v <= high, accepts(g, fmt.Sprint(v)), "%s: %d", schema, v)
			}
		}
	}
	for _, words := range []string{`"minimum":3,"exclusiveMaximum":3`, `"exclusiveMinimum":0.5,"maximum":0.5`, `"minimum":4,"maximum":3.5`} {
		_, err := grammar.Schema([]byte(`{"type":"number",` + words + `}`))
		require.ErrorContains(t, err, "is within the bounds", words)
	}
}
