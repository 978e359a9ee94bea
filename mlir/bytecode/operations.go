package bytecode

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// The parts of an operation beside its name and place.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUseLists
	hasProperties
)

// scope are the values of an isolated region, by number. A number may be used before its value is defined.
type scope struct {
	values []*mlir.Value
	next   []int // the number of the next value that is defined, for each region that is open
}

func (s *scope) define(c *cursor, v *mlir.Value) *mlir.Value {
	i := s.next[len(s.next)-1]
	if i >= len(s.values) {
		c.failf("more values than a region says")
	}
	s.next[len(s.next)-1]++
	if early := s.values[i]; early != nil { // it was used before
		early.Type, early.Def, early.Index, early.Owner = v.Type, v.Def, v.Index, v.Owner
		return early
	}
	s.values[i] = v
	return v
}

func (s *scope) use(c *cursor, i uint64) *mlir.Value {
	at(c, s.values, i)
	if s.values[i] == nil {
		s.values[i] = &mlir.Value{}
	}
	return s.values[i]
}

// module reads the operations: a block with the module.
func (r *reader) module(c *cursor) *mlir.Operation {
	top := &mlir.Block{}
	r.block(c, top, &scope{next: []int{0}}, nil)
	if len(top.Ops) == 1 && top.Ops[0].Name == "builtin.module" {
		top.Ops[0].Block = nil
		return top.Ops[0]
	}
	m := mlir.NewModule()
	for _, op := range top.Ops {
		m.Body().Append(op)
	}
	return m
}

// block reads the arguments and operations of a block.
func (r *reader) block(c *cursor, b *mlir.Block, s *scope, blocks []*mlir.Block) {
	n, args := c.flagged()
	if args {
		count := c.count()
		for i := range count {
			v := &mlir.Value{Index: i, Owner: b}
			if r.version < elided {
				v.Type = r.typ(c)
				r.attr(c)
			} else {
				t, located := c.flagged()
				v.Type = r.typeAt(c, t)
				if located {
					r.attr(c)
				}
			}
			b.Args = append(b.Args, s.define(c, v))
		}
		if r.version >= useLists && c.byte() != 0 {
			skipUseLists(c, count)
		}
	}
	for range n {
		b.Append(r.operation(c, s, blocks))
	}
}

// skipUseLists passes the order of the uses of values, which nothing here depends on.
func skipUseLists(c *cursor, values int) {
	n := 1
	if values > 1 {
		n = c.count()
	}
	for range n {
		if values > 1 {
			c.varint()
		}
		uses, _ := c.flagged()
		for range uses {
			c.varint()
		}
	}
}

func (r *reader) operation(c *cursor, s *scope, blocks []*mlir.Block) *mlir.Operation {
	r.enter(c)
	defer r.leave()
	name := at(c, r.names, c.varint())
	op := &mlir.Operation{Name: name.name}
	mask := c.byte()
	switch l := r.attr(c).(type) {
	case mlir.LocationAttr:
		op.Loc = l.Loc
	default:
		c.failf("the location of %s is %v", op.Name, l)
	}
	if mask&hasAttrs != 0 {
		switch a := r.attr(c).(type) {
		case mlir.DictAttr:
			op.Attrs = slices.Clone(mlir.Attrs(a))
		default:
			c.failf("the attributes of %s are %v", op.Name, a)
		}
	}
	if mask&hasProperties != 0 {
		p := at(c, r.props, c.varint())
		r.properties(&cursor{data: p.data, base: p.base}, op, name.registered)
	}
	if mask&hasResults != 0 {
		for i, t := range r.typeList(c) {
			op.Results = append(op.Results, s.define(c, &mlir.Value{Type: t, Def: op, Index: i}))
		}
	}
	if mask&hasOperands != 0 {
		op.Operands = list(c, func() *mlir.Value { return s.use(c, c.varint()) })
	}
	if mask&hasSuccessors != 0 {
		for _, i := range list(c, c.varint) {
			op.Successors = append(op.Successors, mlir.Successor{Block: at(c, blocks, i)})
		}
		branch(c, op)
	}
	if mask&hasUseLists != 0 {
		skipUseLists(c, len(op.Results))
	}
	if mask&hasRegions != 0 {
		n, isolated := c.flagged()
		if n > uint64(len(c.data)) {
			c.failf("%d regions", n)
		}
		from := c
		if isolated && r.version >= nested {
			_, from = c.section()
		}
		for range n {
			inner := s
			if isolated {
				inner = &scope{}
			}
			r.region(from, op.AddRegion(), inner)
		}
	}
	return op
}

// branch gives the operands of a branch to its successors.
func branch(c *cursor, op *mlir.Operation) {
	switch op.Name {
	case "cf.br":
		if len(op.Successors) != 1 {
			c.failf("%s with %d successors", op.Name, len(op.Successors))
		}
		op.Successors[0].Args, op.Operands = op.Operands, nil
	case "cf.cond_br":
		sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
		if !ok || len(sizes) != 3 || sizes[0] != 1 || sizes[1] < 0 || sizes[2] < 0 || 1+sizes[1]+sizes[2] != len(op.Operands) || len(op.Successors) != 2 {
			c.failf("%s with the groups %v of %d operands", op.Name, sizes, len(op.Operands))
		}
		op.Successors[0].Args = op.Operands[1 : 1+sizes[1]]
		op.Successors[1].Args = op.Operands[1+sizes[1]:]
		op.Operands = op.Operands[:1:1]
		op.Attrs = op.Attrs.Without("operandSegmentSizes")
	case "cf.switch":
		sizes, _ := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
		cases, _ := mlir.IntList(op.Attrs.Get("case_operand_segments"))
		if len(sizes) != 3 || len(cases)+1 != len(op.Successors) || len(op.Operands) == 0 {
			c.failf("%s with the groups %v and %v", op.Name, sizes, cases)
		}
		left := op.Operands[1:]
		for i, n := range append([]int{sizes[1]}, cases...) {
			if n < 0 || n > len(left) {
				c.failf("%s passes %d of %d values", op.Name, n, len(left))
			}
			op.Successors[i].Args, left = left[:n], left[n:]
		}
		op.Operands = op.Operands[:1:1]
		op.Attrs = op.Attrs.Without("operandSegmentSizes")
	default:
		if len(op.Operands) > 0 {
			c.failf("the operands of the branch %s are not told apart", op.Name)
		}
	}
}

func (r *reader) region(c *cursor, region *mlir.Region, s *scope) {
	n := c.count()
	if n == 0 {
		return
	}
	values := c.count()
	before := len(s.values)
	s.next = append(s.next, before)
	s.values = append(s.values, make([]*mlir.Value, values)...)
	for range n {
		region.Blocks = append(region.Blocks, &mlir.Block{Region: region})
	}
	for _, b := range region.Blocks {
		r.block(c, b, s, region.Blocks)
	}
	for _, v := range s.values[before:] {
		if v != nil && v.Type == nil {
			c.failf("a value is used that nothing defines")
		}
	}
	s.values, s.next = s.values[:before], s.next[:len(s.next)-1]
}

// properties reads the attributes that belong to an operation's definition: in the order of their names, those that
// may be absent with a bit that says so.
func (r *reader) properties(c *cursor, op *mlir.Operation, registered bool) {
	if !registered { // as one dictionary
		if a, ok := r.attr(c).(mlir.DictAttr); ok {
			op.Attrs = append(op.Attrs, mlir.Attrs(a)...)
		}
		return
	}
	why := errors.New("other bytes")
	for _, fields := range fieldsOf(op.Name) {
		part := *c
		attrs, err := r.read(&part, fields)
		if err == nil {
			op.Attrs = append(op.Attrs, attrs...)
			return
		}
		why = err
	}
	c.failf("%s has properties that fit no definition here, for which write the file with -emit-bytecode-version=4: %w", op.Name, why)
}

// none are attributes that say no more than their absence.
var none = map[string]bool{"#arith.fastmath<none>": true, "#arith.overflow<none>": true}

// read reads properties by their names. The error says that the bytes are not these: definitions differ between
// versions of MLIR.
func (r *reader) read(c *cursor, fields []string) (attrs mlir.Attrs, err error) {
	depth := r.depth
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			r.depth, err = depth, f.err
		default:
			panic(f)
		}
	}()
	add := func(name string, a mlir.Attribute) {
		if o, ok := a.(mlir.OpaqueAttr); !ok || !none[o.Text] { // what goes without saying
			attrs = append(attrs, mlir.Named{Name: name, Value: a})
		}
	}
	if r.version < newest { // the groups are attributes like others, in front
		for _, f := range fields {
			if group, _, ok := strings.Cut(f, ":"); ok {
				add(group, r.attr(c))
			}
		}
	}
	for _, f := range fields {
		if group, size, ok := strings.Cut(f, ":"); ok {
			if r.version >= newest {
				n, _ := strconv.Atoi(size)
				add(group, segments(c, n))
			}
			continue
		}
		name, optional := strings.CutSuffix(f, "?")
		if !optional {
			add(name, r.attr(c))
		} else if i, there := c.flagged(); there {
			add(name, r.attrAt(c, i))
		} else if i != 0 {
			c.failf("%s is neither there nor absent", name)
		}
	}
	if !c.empty() {
		c.failf("%d bytes are left", len(c.data)-c.pos)
	}
	return attrs, nil
}

// segments reads how many values each of n groups has: all numbers, or those that are not 0 with their places.
func segments(c *cursor, n int) mlir.Attribute {
	a := mlir.DenseArrayAttr{Elem: mlir.I32, Ints: make([]int64, n)}
	count, sparse := c.flagged()
	if count > uint64(n) {
		c.failf("%d of %d groups of values", count, n)
	}
	bits := uint64(0)
	if sparse && count > 0 {
		if bits = c.varint(); bits > 8 {
			c.failf("places of %d bits", bits)
		}
	}
	for i := range count {
		v := c.varint()
		if sparse {
			i, v = v&(1<<bits-1), v>>bits
			if i >= uint64(n) {
				c.failf("group %d of %d", i, n)
			}
		}
		a.Ints[i] = int64(v)
	}
	return a
}
