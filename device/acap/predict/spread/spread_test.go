package spread

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpreads draws kinds of rows: every spread is around the prediction, a greater share has no narrower one, a source
// that is left out has no say in it, and a kind of few sources has the spread of all.
func TestSpreads(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		k := Kinds{}
		for kind := range 1 + r.IntN(4) {
			s := Makers{}
			for source := range 1 + r.IntN(8) {
				middle := 0.3 * r.NormFloat64()
				for range 1 + r.IntN(9) {
					name := fmt.Sprint(source)
					s[name] = append(s[name], middle+float64(0.1*r.NormFloat64()))
				}
			}
			k[fmt.Sprint(kind)] = s
		}
		before := 1.0
		for _, share := range []float64{0.5, 0.7, 0.9, 0.95, 1} {
			within := k.Spread("0", "", share)
			require.GreaterOrEqual(t, min(within.Below, within.Above), 1.0)
			require.GreaterOrEqual(t, within.Width(), before)
			require.Equal(t, within, k.Spread("0", "", share), "to the last bit")
			before = within.Width()
			for _, rising := range []bool{false, true} {
				low, high := within.Around(100, rising)
				require.True(t, low <= 100 && 100 <= high)
				require.InEpsilon(t, within.Width(), high/low, 1e-9)
			}
		}
		without := k.Spread("0", "0", 0.9)
		k["0"]["0"] = []float64{50} // far away
		if len(k["0"]) > 3 {
			require.Equal(t, without, k.Spread("0", "0", 0.9))
		}
		kinds, makers, all := k.Coverages(0.9)
		require.Len(t, kinds, len(k))
		rows := 0
		for _, c := range makers {
			rows += c.Rows
		}
		require.Equal(t, all.Rows, rows)
		require.Less(t, all.Covered, all.Rows, "what is far away is in no interval")
	}
	k := Kinds{"few": {"a": {0.1}, "b": {-0.1}}, "many": {"c": {1}, "d": {-1}, "e": {0}}}
	require.Greater(t, k.Spread("few", "", 0.9).Above, 2.0)
}

// TestUnseenMakers draws makers who differ from each other more than the rows of one maker do, in kinds that are
// farther off or nearer. At least the share asked for of the rows of a maker lies in the spread that the other makers
// give: for makers who are left out, and for makers who are drawn afterwards.
func TestUnseenMakers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(k Kinds, from, to int) {
		for maker := from; maker < to; maker++ {
			effect := r.NormFloat64()
			for kind, wide := range []float64{0.1, 0.2, 0.5} {
				name := fmt.Sprint(kind)
				if k[name] == nil {
					k[name] = Makers{}
				}
				for range 1 + r.IntN(6) {
					k[name][fmt.Sprint(maker)] = append(k[name][fmt.Sprint(maker)], wide*(0.3+effect+float64(0.3*r.NormFloat64())))
				}
			}
		}
	}
	covered, rows := 0, 0
	for range 4 {
		k, further := Kinds{}, Kinds{}
		draw(k, 0, 15)
		draw(further, 15, 20)
		_, makers, all := k.Coverages(0.9)
		require.Len(t, makers, 15)
		require.GreaterOrEqual(t, float64(all.Covered)/float64(all.Rows), 0.85)
		require.Less(t, all.Width, 40.0)
		for kind, s := range further {
			within := k.Spread(kind, "", 0.9)
			for _, scores := range s {
				for _, x := range scores {
					if rows++; within.Covers(x) {
						covered++
					}
				}
			}
		}
	}
	t.Logf("%d of %d rows of further makers", covered, rows)
	require.GreaterOrEqual(t, float64(covered)/float64(rows), 0.9)
	require.LessOrEqual(t, float64(covered)/float64(rows), 0.99)
}
