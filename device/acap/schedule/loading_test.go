package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestLoadingChanged: loads that are counted anew on some cores agree with the loads of the whole program.
func TestLoadingChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 5))
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	at := func() mapping.Mapping {
		g := mapping.Mapping{Cols: 1 + r.IntN(8), Rows: 1 + r.IntN(4)}
		g.Col, g.Row = r.IntN(9-g.Cols), r.IntN(5-g.Rows)
		return g
	}
	for amid := range 10 {
		p := &Program{Amid: amid == 0}
		for range 20 {
			l := Launch{Kernel: &workload.Kernel{Kind: workload.KindPointwise}, Mapping: at()}
			if n := r.IntN(9); n > 0 {
				l.Code = fmt.Sprint(n)
			}
			p.Launches = append(p.Launches, l)
		}
		l, loaded := newLoading(p, m), 0
		for range 20 {
			same := []int{r.IntN(20), r.IntN(20)}
			for _, i := range same {
				p.Launches[i].Mapping = at()
			}
			l.changed(same)
			require.Equal(t, p.Loads(m), l.loads)
			loaded += l.loads[same[0]]
		}
		require.Positive(t, loaded)
	}
}
