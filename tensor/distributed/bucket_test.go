package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// Buckets go from the last gradient to the first, hold one type, and no more bytes than asked, unless
// one gradient is larger.
func TestBuckets(t *testing.T) {
	f32 := func(n int) *tensor.Tensor { return tensor.Ones(n) }
	grads := []*tensor.Tensor{f32(2), f32(100), nil, f32(3), f32(1).ToDtype(dtype.F64), f32(5), f32(5)}
	members := func(bytes int) (all [][]int) {
		p := &Parallel{BucketBytes: bytes}
		for _, b := range p.buckets(grads) {
			all = append(all, b.members)
		}
		return all
	}
	require.Equal(t, [][]int{{6, 5}, {4}, {3, 1, 0}}, members(1<<20))
	require.Equal(t, [][]int{{6, 5}, {4}, {3}, {1}, {0}}, members(40))
	require.Equal(t, [][]int{{6}, {5}, {4}, {3}, {1}, {0}}, members(39))
}

// Owners have about as many bytes each.
func TestOwners(t *testing.T) {
	params := []*tensor.Tensor{tensor.Ones(4), tensor.Ones(8), tensor.Ones(3), tensor.Ones(1)}
	require.Equal(t, []int{1, 0, 1, 1}, owners(params, 2))
	require.Equal(t, []int{0, 0, 0, 0}, owners(params, 1))
}
