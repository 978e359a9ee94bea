package distributed

import (
	"sort"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// bucket is gradients that are sent together.
type bucket struct {
	members []int
	flat    *tensor.Tensor // all numbers
	start   *tensor.Tensor // of the reduction
}

// Mean records the means of gradients over the ranks; nil ones stay nil. [Parallel.Gather], which Step calls, has them
// for an optimiser.
func (p *Parallel) Mean(grads []*tensor.Tensor) []*tensor.Tensor {
	means := append([]*tensor.Tensor(nil), grads...)
	if p.group.Size() == 1 {
		return means
	}
	tensor.NoGrad(func() {
		buckets := p.buckets(grads)
		var starts []*tensor.Tensor
		for _, b := range buckets {
			b.start = tensor.Call("all_reduce_start", b.flat, p.group.token(b.flat.Device()), Sum.String())[0]
		}
		// Buckets are complete from the last layer to the first, so that those before are sent
		// while the gradients of this one are computed.
		for _, b := range buckets {
			starts = append(starts, b.start)
			p.spread(b, starts, grads, means)
		}
	})
	return means
}

// buckets divides the gradients, from the last to the first, by device, type and size.
func (p *Parallel) buckets(grads []*tensor.Tensor) []*bucket {
	var list []*bucket
	var size int
	for i := len(grads) - 1; i >= 0; i-- {
		g := grads[i]
		if g == nil {
			continue
		}
		n := len(list)
		fits := n > 0 && size+bytesOf(g) <= p.BucketBytes
		if fits {
			first := grads[list[n-1].members[0]]
			fits = first.DType() == g.DType() && first.Device() == g.Device()
		}
		if !fits {
			list, size = append(list, &bucket{}), 0
			n++
		}
		list[n-1].members = append(list[n-1].members, i)
		size += bytesOf(g)
	}
	for _, b := range list {
		var parts []*tensor.Tensor
		for _, i := range b.members {
			parts = append(parts, grads[i].Reshape([]int{-1}))
		}
		b.flat = tensor.Cat(parts)
		if p.Wire != dtype.Invalid && b.flat.DType() == dtype.F32 {
			b.flat = b.flat.ToDtype(p.Wire)
		}
	}
	return list
}

// spread gives the gradients of a bucket their means.
func (p *Parallel) spread(b *bucket, starts, grads, means []*tensor.Tensor) {
	token := p.group.token(b.flat.Device())
	sum := tensor.Call("all_reduce_wait", b.flat, token, starts)[0]
	at := 0
	for _, i := range b.members {
		n := grads[i].NumElements()
		part := sum.Narrow(0, at, n).ToDtype(grads[i].DType())
		means[i] = part.Reshape(grads[i].Shape()).DivScalar(float64(p.group.Size()))
		at += n
	}
}

func bytesOf(t *tensor.Tensor) int { return t.NumElements() * t.DType().Size() }

// bySize are the numbers of tensors, the largest first.
func bySize(list []*tensor.Tensor) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return bytesOf(list[order[a]]) > bytesOf(list[order[b]]) })
	return order
}
