package group

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// joiner joins groups as long as no path leaves a group and comes back. Groups and host operations are kept in an order
// in which they can run. All nodes of a path between two of them stand between the two in this order.
type joiner struct {
	members  [][]int // operations
	group    []bool
	before   []map[int]bool
	after    []map[int]bool
	order    []int // of groups and host operations
	position []int // in the order
}

// newJoiner takes sets of operations, in an order in which they can run.
func newJoiner(n *nodes, order []int, byRoot map[int][]int) *joiner {
	m := &joiner{position: make([]int, len(order))}
	set := make([]int, len(n.ops))
	for k, r := range order {
		m.members = append(m.members, byRoot[r])
		m.group = append(m.group, n.supported[r])
		m.before = append(m.before, map[int]bool{})
		m.after = append(m.after, map[int]bool{})
		m.order = append(m.order, k)
		m.position[k] = k
		for _, i := range byRoot[r] {
			set[i] = k
		}
	}
	for i := range n.ops {
		for _, k := range n.before[i] {
			if a, b := set[k], set[i]; a != b {
				m.after[a][b], m.before[b][a] = true, true
			}
		}
	}
	return m
}

// joinNeighbours joins groups that pass values to each other, the last ones first, until
// nothing changes.
func (m *joiner) joinNeighbours() {
	for again := true; again; {
		again = false
		for at := len(m.order) - 1; at >= 0; at-- {
			b := m.order[at]
			if !m.group[b] {
				continue
			}
			var givers []int
			for a := range m.before[b] {
				if m.group[a] {
					givers = append(givers, a)
				}
			}
			slices.SortFunc(givers, func(x, y int) int { return cmp.Compare(m.position[y], m.position[x]) })
			for _, a := range givers {
				if m.join(a, b) {
					again = true
					break
				}
			}
		}
	}
}

// joinAny joins groups whether they pass values or not, until nothing changes. It is enough to
// try neighbours in the order: if the first cannot be joined with the second, nor that with
// the third, there is a path from the first to the third as well.
func (m *joiner) joinAny() {
	for again := true; again; {
		again = false
		last := -1
		for at := 0; at < len(m.order); at++ {
			k := m.order[at]
			if !m.group[k] {
				continue
			}
			if last >= 0 && m.join(last, k) {
				again = true
				break
			}
			last = k
		}
	}
}

// join makes one group of two; a comes first. It does nothing if a path leads from a to b through other groups.
func (m *joiner) join(a, b int) bool {
	from, to := m.position[a], m.position[b]
	seen := map[int]bool{}
	stack := []int{a}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for next := range m.after[k] {
			switch {
			case next == b && k != a:
				return false
			case next != b && !seen[next] && m.position[next] < to:
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	// Operations that a does not lead to come first, then the group, then the rest.
	var early, late []int
	for _, k := range m.order[from+1 : to] {
		if seen[k] {
			late = append(late, k)
		} else {
			early = append(early, k)
		}
	}
	m.order = slices.Replace(m.order, from, to+1, slices.Concat(early, []int{a}, late)...)
	for i, k := range m.order[from:] {
		m.position[k] = from + i
	}
	m.members[a] = append(m.members[a], m.members[b]...)
	m.members[b] = nil
	for k := range m.after[b] {
		delete(m.before[k], b)
		m.after[a][k], m.before[k][a] = true, true
	}
	for k := range m.before[b] {
		delete(m.after[k], b)
		if k != a {
			m.before[a][k], m.after[k][a] = true, true
		}
	}
	return true
}

// result returns the groups and the host operations in their order. Groups that are too small
// become host operations.
func (m *joiner) result(tooSmall func([]*mlir.Operation) error, ops []*mlir.Operation) []*item {
	var out []*item
	for _, k := range m.order {
		members := m.members[k]
		slices.Sort(members)
		group := &item{group: m.group[k]}
		for _, i := range members {
			group.ops = append(group.ops, ops[i])
		}
		var small error
		if group.group {
			small = tooSmall(group.ops)
		}
		if group.group && small == nil {
			out = append(out, group)
			continue
		}
		for _, op := range group.ops {
			out = append(out, &item{ops: []*mlir.Operation{op}, why: small})
		}
	}
	return out
}
