package distributed

import (
	"github.com/go-acap/acap/tensor"
)

// AllReduce records the reduction of a tensor over all ranks, which all get. A sum has
// a gradient, the sum of the ranks' gradients; so have max and min.
func (g *Group) AllReduce(t *tensor.Tensor, r Reduction) *tensor.Tensor {
	return tensor.Call("all_reduce", t, g.token(t.Device()), r.String())[0]
}

// AllGather records the ranks' tensors [N, …] of one shape, joined in order: [size·N, …].
func (g *Group) AllGather(t *tensor.Tensor) *tensor.Tensor {
	return tensor.Call("all_gather", t, g.token(t.Device()), g.Size())[0]
}

// ReduceScatter records the reduction of a tensor [size·N, …] over all ranks. Each rank gets its part [N, …].
func (g *Group) ReduceScatter(t *tensor.Tensor, r Reduction) *tensor.Tensor {
	return tensor.Call("reduce_scatter", t, g.token(t.Device()), g.Size(), r.String())[0]
}

// Broadcast records the tensor of the rank root, of the shape and type of t, on all ranks.
func (g *Group) Broadcast(t *tensor.Tensor, root int) *tensor.Tensor {
	return tensor.Call("broadcast_from", t, g.token(t.Device()), root)[0]
}

// Reduce records the reduction of a tensor over all ranks, which the rank root gets; the others
// get zeros.
func (g *Group) Reduce(t *tensor.Tensor, root int, r Reduction) *tensor.Tensor {
	return tensor.Call("reduce_to", t, g.token(t.Device()), root, r.String())[0]
}

// Send records that a tensor is sent to a rank that calls [Group.Receive]. It returns a zero without dimensions; a
// barrier of the zero sends the tensor. A zero that is added to a loss takes the gradient of the tensor back from the
// receiver.
func (g *Group) Send(t *tensor.Tensor, to int) *tensor.Tensor {
	return tensor.Call("send_to", t, g.single(t), to)[0]
}

// Receive records what a rank sends: a tensor of the shape, type and device of like, to
// which no number of the result belongs. If like requires a gradient, the gradient of the result
// is sent back.
func (g *Group) Receive(like *tensor.Tensor, from int) *tensor.Tensor {
	return tensor.Call("receive_from", like, g.single(like), from)[0]
}

// single is a token of its own, so that two calls are never taken for one.
func (g *Group) single(t *tensor.Tensor) *tensor.Tensor {
	return tensor.FromSlice([]int64{g.id}).To(t.Device())
}
