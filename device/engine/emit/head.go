package emit

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// contraction writes a cluster with a matrix product.
func (e *emitter) contraction(name string) {
	n := e.Cluster.Head
	head := e.Cluster.Member(n)
	batch, rows, cols := e.ContractionLoops()
	k := &kernel.Contraction{Name: name, Batch: graph.Extents(batch), M: graph.Points(rows), N: graph.Points(cols),
		K: n.Extents[n.Par], Acc: n.Acc}
	depth := func(a graph.Access) int { return a.Strides[n.Par] }
	matrix := func(a graph.Access) kernel.Matrix {
		return kernel.Matrix{Port: e.readPort(a), Offset: a.Offset, Batch: head.Strides(a, batch)}
	}
	k.A, k.B = matrix(n.Ins[0]), matrix(n.Ins[1])
	k.A.Format, k.B.Format, k.Rounded = packed(&n.Ins[0], n.Par), packed(&n.Ins[1], n.Par), n.Rounded
	if k.B.Const && k.B.Format == dtype.Plain && sparse(&n.Ins[1], n.Extents, n.Par) {
		k.B.Format = dtype.Sparse24
	}
	k.A.Row, k.A.Col = rows.Stride(head, n.Ins[0]), depth(n.Ins[0])
	k.B.Row, k.B.Col = depth(n.Ins[1]), cols.Stride(head, n.Ins[1])
	var loops []fuse.Group
	for _, l := range batch {
		loops = append(loops, fuse.Group{l})
	}
	k.Epilogue = e.epilogue(append(loops, rows, cols))
	e.kernel = k
	e.tensors = append([]*graph.Tensor{n.Ins[0].Tensor, n.Ins[1].Tensor}, e.tensors...)
}

func (e *emitter) readPort(a graph.Access) kernel.Port {
	d := a.Tensor.DType
	if a.As != dtype.Invalid {
		d = a.As
	}
	return kernel.Port{DType: d, Len: a.Tensor.Size, Const: e.ports.constant(a.Tensor)}
}

func writePort(t *graph.Tensor) kernel.Port {
	return kernel.Port{DType: t.DType, Write: true, Len: t.Size}
}

// epilogue writes the pointwise members over the loops of the kernel.
func (e *emitter) epilogue(loops []fuse.Group) kernel.Epilogue {
	n := e.Cluster.Head
	e.ports.first = 2
	for _, g := range loops {
		// The innermost part stands for a merged loop; an empty one has extent 1.
		if len(g) == 0 {
			g = fuse.Group{&graph.Loop{Extent: 1}}
		}
		e.ports.over = append(e.ports.over, g[len(g)-1])
	}
	e.ports.outer = len(loops)
	w := e.newBody(e.ports.over)
	acc := w.b.Input(n.Acc)
	w.other = func(p *graph.Node, out int) (int, bool) {
		if p != n {
			return 0, false
		}
		return w.b.Cast(n.Outs[0].Tensor.DType, acc), true
	}
	var stores []pendingStore
	for _, m := range e.Cluster.Members {
		for i, o := range m.Node.Outs {
			if e.External[o.Tensor] {
				stores = append(stores, pendingStore{value: w.output(m.Node, i),
					port: e.ports.port(m, o.Access, true)})
			}
		}
	}
	for _, s := range stores {
		w.b.Store(s.port, s.value)
	}
	e.tensors = e.ports.tensors
	body := w.b.Body()
	kernel.Narrow(body, nil)
	return kernel.Epilogue{Access: e.ports.access, Body: kernel.Compact(body, nil)}
}

// convolution writes a cluster with a convolution.
func (e *emitter) convolution(name string) {
	n := e.Cluster.Head
	c := n.Conv
	loops := e.ConvolutionLoops()
	k := c.Shape
	k.Name, k.Acc = name, n.Acc
	k.X = kernel.Image{Port: e.readPort(n.Ins[0]), Offset: n.Ins[0].Offset, Strides: c.X}
	k.Filter = kernel.Image{Port: e.readPort(n.Ins[1]), Offset: n.Ins[1].Offset, Strides: c.W}
	k.Epilogue = e.epilogue(loops)
	e.kernel = &k
	e.tensors = append([]*graph.Tensor{n.Ins[0].Tensor, n.Ins[1].Tensor}, e.tensors...)
}

// attention writes an attention node, which has its strides already.
func (e *emitter) attention(name string) {
	n := e.Cluster.Head
	k := *n.Attend
	k.Name = name
	k.Q.Port, k.K.Port, k.V.Port = e.readPort(n.Ins[0]), e.readPort(n.Ins[1]), e.readPort(n.Ins[2])
	k.K.Format, k.V.Format = n.Ins[1].Format, n.Ins[2].Format
	out := n.Outs[0].Tensor
	k.O.Port = writePort(out)
	e.tensors = []*graph.Tensor{n.Ins[0].Tensor, n.Ins[1].Tensor, n.Ins[2].Tensor, out}
	if k.Mask != nil {
		mask := *k.Mask
		mask.Port = e.readPort(n.Ins[3])
		k.Mask = &mask
		e.tensors = append(e.tensors, n.Ins[3].Tensor)
	}
	if k.Sinks != nil {
		sinks, in := *k.Sinks, n.Ins[k.SinksPort()-1]
		sinks.Port = e.readPort(in)
		k.Sinks = &sinks
		e.tensors = append(e.tensors, in.Tensor)
	}
	if k.Index != nil {
		index, in := *k.Index, n.Ins[k.IndexPort()-1]
		index.Port = e.readPort(in)
		k.Index = &index
		e.tensors = append(e.tensors, in.Tensor)
	}
	e.kernel = &k
}

// orderedKernel writes the kernel of an ordered node.
func (e *emitter) orderedKernel(name string) {
	n := e.Cluster.Head
	var ports []kernel.Port
	for _, a := range n.Ins {
		ports, e.tensors = append(ports, e.readPort(a)), append(e.tensors, a.Tensor)
	}
	for _, o := range n.Outs {
		ports, e.tensors = append(ports, writePort(o.Tensor)), append(e.tensors, o.Tensor)
	}
	e.kernel = n.Ordered(name, ports)
}
