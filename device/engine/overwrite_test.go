package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/engine/reference"
)

// TestOverwritten: parts of a tensor that is written anew have what was written last, also where what they
// are made of, and the tensor, come from one row, product or chain. Random programs keep a few tensors of one shape.
// Each comes from other tensors, or is a tensor with some of its slices replaced.
func TestOverwritten(t *testing.T) {
	for seed := range 400 {
		n := newNet()
		for range seed {
			n.r.Uint64()
		}
		dims := []int{1 + n.r.IntN(3), 2 + n.r.IntN(4), 2 + n.r.IntN(4), 1 + n.r.IntN(3)}
		list := []val{n.input(dims...)}
		pick := func() val { return list[max(n.r.IntN(len(list)), n.r.IntN(len(list)))] }
		axis := 0
		for range 3 + n.r.IntN(8) {
			x := pick()
			switch n.r.IntN(6) {
			case 0:
				x = n.scale(x, 0.5)
			case 1:
				x = n.add(x, pick())
			case 2:
				axis = n.r.IntN(4)
				kept := []int{dims[0], dims[1], dims[2], dims[3]}
				kept[axis] = 1
				x = n.sub(x, n.Reshape(n.sum(x, axis), kept))
			default:
				sizes, from, to := make([]int, 4), make([]int, 4), make([]int, 4)
				for i, d := range dims {
					switch {
					case n.r.IntN(8) == 0:
						sizes[i] = 1 + n.r.IntN(d)
					case i == axis:
						sizes[i] = 1
					default:
						sizes[i] = d
					}
					from[i], to[i] = n.r.IntN(d-sizes[i]+1), n.r.IntN(d-sizes[i]+1)
				}
				ones := []int{1, 1, 1, 1}
				x = n.InsertSlice(n.relu(n.Slice([]val{x, pick()}[n.r.IntN(2)], from, sizes, ones)), x, to, ones)
			}
			list = append(list, x)
		}
		f := n.done(list[len(list)-1], list[1+n.r.IntN(len(list)-1)])
		want, err := reference.Run(f, n.inputs)
		require.NoError(t, err)
		p, err := Compile(f, Options{})
		require.NoError(t, err)
		for i, got := range run(t, p, n.inputs...) {
			for k := range got.Len() {
				require.InDelta(t, want[i].Float64(k), got.Float64(k), 1e-3, "element %d of result %d of %s", k, i, f)
			}
		}
		p.Close()
	}
}
