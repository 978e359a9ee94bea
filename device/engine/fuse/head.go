package fuse

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// Group is a list of loops of a cluster that a kernel walks through as one,
// outermost first.
type Group []*graph.Loop

// Stride is the stride of the merged loop, which is the stride of its innermost part.
func (g Group) Stride(m *graph.Member, a graph.Access) int {
	if len(g) == 0 {
		return 0
	}
	return m.Strides(a, g[len(g)-1:])[0]
}

// merges reports whether an access walks through loop l and then g as onh.
func (g Group) merges(l *graph.Loop, m *graph.Member, a graph.Access) bool {
	s := m.Strides(a, []*graph.Loop{l, g[0]})
	return s[0] == s[1]*g[0].Extent
}

// HeadLoops are the loops of a cluster with a head, as the kernel of the head walks through them.
type HeadLoops struct {
	Cluster  *graph.Cluster
	External map[*graph.Tensor]bool // tensors that something outside reads; nil for all
}

// epilogueAccesses calls f for every access of the members to memory.
func (h *HeadLoops) epilogueAccesses(f func(m *graph.Member, a graph.Access)) {
	for _, m := range h.Cluster.Members {
		if m.Node != h.Cluster.Head {
			for _, a := range m.Node.Ins {
				if h.Cluster.Internal(a) == nil {
					f(m, a)
				}
			}
		}
		for _, o := range m.Node.Outs {
			if h.External == nil || h.External[o.Tensor] {
				f(m, o.Access)
			}
		}
	}
}

// counts reports whether the body of a member computes with the index of a loop, which
// then must stay on its own.
func (h *HeadLoops) counts(l *graph.Loop) bool {
	for _, m := range h.Cluster.Members {
		for _, i := range m.Node.Body {
			if i.Op == kernel.Index && slices.Contains(m.Loops[i.Port], l) {
				return true
			}
		}
	}
	return false
}

// merge splits loops, outermost first, into those that stay on their own and the
// inner ones that all accesses walk through as onh.
func (h *HeadLoops) merge(loops []*graph.Loop, also ...graph.Access) (alone, merged Group) {
	head := h.Cluster.Member(h.Cluster.Head)
	for len(loops) > 0 {
		l := loops[len(loops)-1]
		ok := true
		if len(merged) > 0 {
			ok = !h.counts(l) && !h.counts(merged[0])
			h.epilogueAccesses(func(m *graph.Member, a graph.Access) { ok = ok && merged.merges(l, m, a) })
			for _, a := range also {
				ok = ok && merged.merges(l, head, a)
			}
		}
		if !ok {
			break
		}
		merged = append(Group{l}, merged...)
		loops = loops[:len(loops)-1]
	}
	return loops, merged
}

// byStride sorts loops by falling strides of an access of the head.
func (h *HeadLoops) byStride(loops []*graph.Loop, a graph.Access) []*graph.Loop {
	head := h.Cluster.Member(h.Cluster.Head)
	sorted := slices.Clone(loops)
	strides := map[*graph.Loop]int{}
	for i, s := range head.Strides(a, loops) {
		strides[loops[i]] = s
	}
	slices.SortStableFunc(sorted, func(x, y *graph.Loop) int { return cmp.Compare(strides[y], strides[x]) })
	return sorted
}

// ContractionLoops gives the batch loops, m and n of the kernel.
func (h *HeadLoops) ContractionLoops() (batch, m, n Group) {
	head := h.Cluster.Member(h.Cluster.Head)
	var lists [3][]*graph.Loop
	for i, r := range head.Node.LoopRoles {
		lists[r] = append(lists[r], head.Loops[i]...)
	}
	out := head.Node.Outs[0].Access
	aloneM, m := h.merge(h.byStride(lists[graph.RoleM], out), head.Node.Ins[0])
	aloneN, n := h.merge(h.byStride(lists[graph.RoleN], out), head.Node.Ins[1])
	batch = append(append(h.byStride(lists[graph.RoleBatch], out), aloneM...), aloneN...)
	return batch, m, n
}

// ConvolutionLoops gives the loops n, k, p and q of the kernel.
func (h *HeadLoops) ConvolutionLoops() []Group {
	head := h.Cluster.Member(h.Cluster.Head)
	c := h.Cluster.Head.Conv
	of := func(loops ...int) Group {
		var g Group
		for _, l := range loops {
			if l >= 0 {
				g = append(g, head.Loops[l]...)
			}
		}
		return g
	}
	return []Group{of(c.N), of(c.G, c.K), of(c.P), of(c.Q)}
}

// fits reports whether the kernel of a head can walk through its loops as it
// must, after other nodes have joined its cluster.
func (h *HeadLoops) fits() bool {
	switch h.Cluster.Head.Kind {
	case graph.Convolve:
		for _, g := range h.ConvolutionLoops() {
			if alone, _ := h.merge(g); len(alone) > 0 {
				return false
			}
		}
	case graph.Contract:
		// Rows or columns that had to become batches would be slow.
		batch, _, _ := h.ContractionLoops()
		head := h.Cluster.Member(h.Cluster.Head)
		own := 0
		for i, r := range head.Node.LoopRoles {
			if r == graph.RoleBatch {
				own += len(head.Loops[i])
			}
		}
		return len(batch) <= own
	}
	return true
}
