package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
)

// TestPartsGoBack: a part of a part of an input, in any order of dimensions, is changed and put back to its place, and
// the run writes this part alone; where a part goes to another place, or is needed beside, the values are right as
// well.
func TestPartsGoBack(t *testing.T) {
	inPlace := 0
	for seed := range 300 {
		n := newNet()
		for range seed {
			n.r.Uint64()
		}
		x := n.input(2+n.r.IntN(4), 2+n.r.IntN(4), 2+n.r.IntN(4))
		extra := []val{}
		exact := true
		var put func(v val, depth int) val
		size := 0
		put = func(v val, depth int) val {
			dims := v.Shape()
			switch {
			case depth == 0:
				size = shape.Size(dims)
				return n.shift(v, 1)
			case n.r.IntN(3) == 0:
				perm := n.r.Perm(3)
				back := make([]int, 3)
				for i, p := range perm {
					back[p] = i
				}
				return n.Permute(put(n.Permute(v, perm), depth-1), back)
			}
			sizes, from, to, steps := make([]int, 3), make([]int, 3), make([]int, 3), make([]int, 3)
			for i, d := range dims {
				sizes[i], steps[i] = 1+n.r.IntN(d), 1
				if (sizes[i]-1)*2 < d && n.r.IntN(3) == 0 {
					steps[i] = 2
				}
				from[i] = n.r.IntN(d - (sizes[i]-1)*steps[i])
				to[i] = from[i]
				if n.r.IntN(12) == 0 {
					to[i] = n.r.IntN(d - (sizes[i]-1)*steps[i])
					exact = exact && to[i] == from[i]
				}
			}
			part := put(n.Slice(v, from, sizes, steps), depth-1)
			if n.r.IntN(6) == 0 {
				extra, exact = append(extra, n.relu(part)), false
			}
			return n.InsertSlice(part, v, to, steps)
		}
		f := n.done(append([]val{put(x, 1+n.r.IntN(5))}, extra...)...)
		want, err := reference.Run(f, n.inputs)
		require.NoError(t, err)
		p, err := Compile(f, Options{})
		require.NoError(t, err)
		over := p.Overwrites()
		if exact {
			require.Equal(t, []int{0}, over, "%s", f)
			require.EqualValues(t, 4*size, written(p), "%s", f)
			inPlace++
		}
		results := make([]*buf.Buffer, len(want))
		for i := range results {
			results[i] = buf.New(want[i].DType, want[i].Shape)
			if over != nil && over[i] >= 0 {
				results[i] = n.inputs[over[i]]
			}
		}
		require.NoError(t, p.RunInto(context.Background(), n.inputs, results))
		for i := range want {
			require.Equal(t, want[i].Bytes(), results[i].Bytes(), "result %d of %s", i, f)
		}
		p.Close()
	}
	require.Greater(t, inPlace, 100)
}
