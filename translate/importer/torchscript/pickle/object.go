package pickle

import "strconv"

// highestProtocol is the newest protocol whose instructions are known.
const highestProtocol = 5

// memory executes the instructions that arrange the stack and the memo.
func (m *machine) memory(op byte) bool {
	switch op {
	case opProto:
		if p := m.byte(); p > highestProtocol {
			m.fail("protocol %d is newer than %d", p, highestProtocol)
		}
	case opFrame:
		if n, left := m.uint(8), uint64(len(m.data)-m.next); n > left {
			m.fail("a frame of %d bytes, but %d are left", n, left)
		}
	case opMark:
		if len(m.marks) >= m.limits.Depth {
			m.fail("marks are nested more than %d deep", m.limits.Depth)
		}
		m.marks = append(m.marks, len(m.stack))
	case opPop:
		// Python's POP takes a mark, too.
		if len(m.marks) > 0 && len(m.stack) == m.floor() {
			m.marks = m.marks[:len(m.marks)-1]
		} else {
			m.pop()
		}
	case opPopMark:
		m.popMark()
	case opDup:
		m.push(m.top())
	case opMemoize:
		m.store(uint32(len(m.memo)))
	case opBinPut:
		m.store(uint32(m.uint(1)))
	case opLongBinPut:
		m.store(uint32(m.uint(4)))
	case opPut:
		m.store(m.index())
	case opBinGet:
		m.get(uint32(m.uint(1)))
	case opLongBinGet:
		m.get(uint32(m.uint(4)))
	case opGet:
		m.get(m.index())
	default:
		return false
	}
	return true
}

func (m *machine) get(index uint32) {
	v, ok := m.memo[index]
	if !ok {
		m.fail("nothing is stored at index %d of the memo", index)
	}
	m.push(v)
}

func (m *machine) index() uint32 {
	text := m.line("an index")
	v, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		m.fail("%.40q is not an index", text)
	}
	return uint32(v)
}

// object executes the instructions by which Python imports names, calls them and sets their state.
func (m *machine) object(op byte) bool {
	switch op {
	case opGlobal:
		module := m.line("a module's name")
		m.push(&Global{module, m.line("a name"), m.start})
	case opStackGlobal:
		names := m.popN(2)
		module, ok1 := names[0].(string)
		name, ok2 := names[1].(string)
		if !ok1 || !ok2 {
			m.fail("STACK_GLOBAL of %s and %s", Kind(names[0]), Kind(names[1]))
		}
		m.push(&Global{module, name, m.start})
	case opReduce:
		operands := m.popN(2)
		m.call(operands[0], m.reduced(operands[1]), nil)
	case opNewObj:
		operands := m.popN(2)
		m.call(operands[0], m.arguments(operands[1]), nil)
	case opNewObjEx:
		operands := m.popN(3)
		keywords, ok := operands[2].(*Dict)
		if !ok {
			m.fail("keyword arguments are %s", Kind(operands[2]))
		}
		m.call(operands[0], m.arguments(operands[1]), keywords)
	case opObj:
		items := m.popMark()
		if len(items) == 0 {
			m.fail("OBJ without a class")
		}
		m.call(items[0], items[1:], nil)
	case opInst:
		module := m.line("a module's name")
		class := &Global{module, m.line("a name"), m.start}
		m.call(class, m.popMark(), nil)
	case opBuild:
		m.build()
	case opPersID:
		m.push(&Reference{m.line("a persistent id"), m.start, 1})
	case opBinPersID:
		id := m.pop()
		m.push(&Reference{id, m.start, m.over([]Value{id})})
	default:
		return false
	}
	return true
}

func (m *machine) arguments(v Value) []Value {
	args, ok := v.(*Tuple)
	if !ok {
		m.fail("arguments are %s, not a tuple", Kind(v))
	}
	return args.Items
}

// reduced returns the arguments of REDUCE. PyTorch's own writer gives a member of an enumeration
// its bare value instead of a tuple.
func (m *machine) reduced(v Value) []Value {
	if args, ok := v.(*Tuple); ok {
		return args.Items
	}
	return []Value{v}
}

func (m *machine) call(callee Value, args []Value, keywords *Dict) {
	depth := max(m.over(args), m.over([]Value{callee}))
	if keywords != nil {
		depth = max(depth, m.over([]Value{keywords}))
	}
	m.push(&Object{Callee: callee, Args: args, Keywords: keywords, Offset: m.start, depth: depth})
}

func (m *machine) build() {
	state := m.pop()
	to, ok := m.top().(*Object)
	if !ok {
		m.fail("BUILD of %s", Kind(m.top()))
	}
	to.depth = max(to.depth, m.over([]Value{state}))
	to.State, to.Built = state, true
}
