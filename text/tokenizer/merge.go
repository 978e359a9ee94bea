package tokenizer

// symbol is a part of a word while neighbours are merged.
type symbol struct {
	id         int32 // -1 for a part that is no token
	start, end int   // in the word
	prev, next int32
}

// candidate is two neighbours that may be merged. The least rank comes first, and of equal ones the first in the word.
type candidate struct {
	rank        float64
	left, right int32
	leftID      int32
	rightID     int32
	into        int32
	end         int // of the right one, when the candidate was found
}

func (c *candidate) before(o *candidate) bool {
	return c.rank < o.rank || c.rank == o.rank && c.left < o.left
}

// merger merges symbols of one word.
type merger struct {
	symbols []symbol
	heap    []candidate
}

// merge merges neighbours, the best ones first, until rule knows no more. rule tells what two symbols become, with the
// rank of that.
func (m *merger) merge(rule func(a, b *symbol) (into int32, rank float64, ok bool)) {
	m.heap = m.heap[:0]
	find := func(left int32) {
		if left < 0 {
			return
		}
		right := m.symbols[left].next
		if right < 0 {
			return
		}
		a, b := &m.symbols[left], &m.symbols[right]
		if into, rank, ok := rule(a, b); ok {
			m.push(candidate{rank, left, right, a.id, b.id, into, b.end})
		}
	}
	for i := range m.symbols {
		find(int32(i))
	}
	for len(m.heap) > 0 {
		c := m.pop()
		a, b := &m.symbols[c.left], &m.symbols[c.right]
		if a.end < 0 || b.end < 0 || a.next != c.right || a.id != c.leftID || b.id != c.rightID || b.end != c.end {
			continue // one of them was merged
		}
		a.id, a.end, a.next = c.into, b.end, b.next
		if b.next >= 0 {
			m.symbols[b.next].prev = c.left
		}
		b.end = -1
		find(a.prev)
		find(c.left)
	}
}

func (m *merger) push(c candidate) {
	m.heap = append(m.heap, c)
	for i := len(m.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !m.heap[i].before(&m.heap[up]) {
			break
		}
		m.heap[i], m.heap[up] = m.heap[up], m.heap[i]
		i = up
	}
}

func (m *merger) pop() candidate {
	top, last := m.heap[0], len(m.heap)-1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if m.heap[child].before(&m.heap[least]) {
				least = child
			}
		}
		if least == i {
			return top
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

// reset makes symbols of parts that follow each other.
func (m *merger) reset() { m.symbols = m.symbols[:0] }

func (m *merger) add(id int32, start, end int) {
	n := int32(len(m.symbols))
	if n > 0 {
		m.symbols[n-1].next = n
	}
	m.symbols = append(m.symbols, symbol{id, start, end, n - 1, -1})
}

// ids appends the numbers of what is left, with the places.
func (m *merger) ids(out []int32, places *extents) []int32 {
	for i := range m.symbols {
		if s := &m.symbols[i]; s.end >= 0 {
			out = append(out, s.id)
			if places != nil {
				places.add(s.start, s.end)
			}
		}
	}
	return out
}
