package pickle

// container executes the instructions that make and fill tuples, lists, dicts and sets.
func (m *machine) container(op byte) bool {
	switch op {
	case opEmptyTuple:
		m.push(&Tuple{})
	case opTuple1:
		m.tuple(m.popN(1))
	case opTuple2:
		m.tuple(m.popN(2))
	case opTuple3:
		m.tuple(m.popN(3))
	case opTuple:
		m.tuple(m.popMark())
	case opEmptyList:
		m.push(&List{})
	case opList:
		items := m.popMark()
		m.push(&List{items, m.over(items)})
	case opEmptyDict:
		m.push(&Dict{})
	case opDict:
		entries := m.entries(m.popMark())
		m.push(&Dict{})
		m.setItems(entries)
	case opEmptySet:
		m.push(&Set{})
	case opFrozenSet:
		items := m.popMark()
		m.push(&Set{items, m.over(items)})
	case opAppend:
		m.appendItems(m.popN(1))
	case opAppends:
		m.appendItems(m.popMark())
	case opAddItems:
		m.addItems(m.popMark())
	case opSetItem:
		m.setItems(m.entries(m.popN(2)))
	case opSetItems:
		m.setItems(m.entries(m.popMark()))
	default:
		return false
	}
	return true
}

func (m *machine) tuple(items []Value) { m.push(&Tuple{items, m.over(items)}) }

// popN removes n values and returns them in the order they were pushed.
func (m *machine) popN(n int) []Value {
	items := make([]Value, n)
	for i := n - 1; i >= 0; i-- {
		items[i] = m.pop()
	}
	return items
}

func (m *machine) entries(items []Value) []Entry {
	if len(items)%2 != 0 {
		m.fail("a dict has a key without a value")
	}
	entries := make([]Entry, len(items)/2)
	for i := range entries {
		entries[i] = Entry{items[2*i], items[2*i+1]}
	}
	return entries
}

func (m *machine) appendItems(items []Value) {
	switch to := m.top().(type) {
	case *List:
		to.depth = max(to.depth, m.over(items))
		to.Items = append(to.Items, items...)
	case *Object:
		to.depth = max(to.depth, m.over(items))
		to.Appended = append(to.Appended, items...)
	default:
		m.fail("APPEND to %s", Kind(to))
	}
}

func (m *machine) addItems(items []Value) {
	to, ok := m.top().(*Set)
	if !ok {
		m.fail("ADDITEMS to %s", Kind(m.top()))
	}
	to.depth = max(to.depth, m.over(items))
	to.Items = append(to.Items, items...)
}

func (m *machine) setItems(entries []Entry) {
	depth := 0
	for _, e := range entries {
		depth = max(depth, m.over([]Value{e.Key, e.Value}))
	}
	switch to := m.top().(type) {
	case *Dict:
		to.depth = max(to.depth, depth)
		to.Entries = append(to.Entries, entries...)
	case *Object:
		to.depth = max(to.depth, depth)
		to.Entries = append(to.Entries, entries...)
	default:
		m.fail("SETITEM on %s", Kind(to))
	}
}

// over returns the nesting of a container of the items and fails where it is too deep.
func (m *machine) over(items []Value) int {
	depth := 0
	for _, v := range items {
		depth = max(depth, depthOf(v))
	}
	if depth >= m.limits.Depth {
		m.fail("containers are nested more than %d deep", m.limits.Depth)
	}
	return depth + 1
}

func depthOf(v Value) int {
	switch v := v.(type) {
	case *Tuple:
		return v.depth
	case *List:
		return v.depth
	case *Dict:
		return v.depth
	case *Set:
		return v.depth
	case *Object:
		return v.depth
	case *Reference:
		return v.depth
	}
	return 0
}
