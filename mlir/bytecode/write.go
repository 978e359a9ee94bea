package bytecode

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// format is the version of the format that [Write] writes: the last in which operations keep all attributes by name.
const format = 4

// Write writes a module. Attributes and types stand in the file as text, which every dialect reads. An error is one of
// w.
func Write(w io.Writer, module *mlir.Operation) error { return write(w, module, "acap", false) }

// write writes a module, as a portable artifact or not; producer says in the file who did.
func write(w io.Writer, module *mlir.Operation, producer string, portable bool) error {
	e := &writer{portable: portable, strings: map[string]uint64{}, dialects: map[string]uint64{}, names: map[string]uint64{},
		attrs: map[string]uint64{}, types: map[string]uint64{}}
	ops := e.block([]*mlir.Operation{module}, nil, numbering{}, nil)
	out := append(slices.Clone(magic), encodeVarint(format)...)
	out = append(append(out, producer...), 0)
	if e.err != nil {
		return e.err
	}
	offsets, entries := e.entries()
	resources, resourceOffsets := e.resourceSections()
	dialects := e.dialectSection()
	for _, s := range []struct {
		id   byte
		data []byte
	}{{sectionText, e.stringSection()}, {sectionDialects, dialects}, {sectionEntries, entries}, {sectionOffsets, offsets},
		{sectionIR, ops}, {sectionResources, resources}, {sectionResourceOffsets, resourceOffsets}} {
		if s.data != nil || s.id < sectionResources {
			out = section(out, s.id, s.data)
		}
	}
	_, err := w.Write(out)
	return err
}

func section(out []byte, id byte, data []byte) []byte {
	out = append(out, id)
	out = append(out, encodeVarint(uint64(len(data)))...)
	return append(out, data...)
}

// writer gives what operations refer to numbers.
type writer struct {
	strings, dialects, names, attrs, types map[string]uint64
	texts                                  []string // by number
	dialectNames                           []string
	opNames                                [][2]string // dialect and name
	attrEntries, typeEntries               []written
	resources                              []mlir.ResourceAttr
	portable                               bool // operations are of vhlo, and so are types and attributes
	err                                    error
}

func (e *writer) string(s string) uint64 {
	i, ok := e.strings[s]
	if !ok {
		i = uint64(len(e.texts))
		e.strings[s], e.texts = i, append(e.texts, s)
	}
	return i
}

func (e *writer) dialect(name string) uint64 {
	i, ok := e.dialects[name]
	if !ok {
		i = uint64(len(e.dialectNames))
		e.dialects[name], e.dialectNames = i, append(e.dialectNames, name)
		e.string(name)
	}
	return i
}

func (e *writer) name(full string) uint64 {
	i, ok := e.names[full]
	if !ok {
		dialect, op, _ := strings.Cut(full, ".")
		i = uint64(len(e.opNames))
		e.names[full], e.opNames = i, append(e.opNames, [2]string{dialect, op})
		e.dialect(dialect)
		e.string(op)
	}
	return i
}

// written is an attribute or a type: text with a zero behind it, or in the encoding of the builtin dialect.
type written struct {
	data    []byte
	encoded bool
	dialect string // "" is the builtin one
}

// add gives an entry a number.
func add(numbers map[string]uint64, list *[]written, key string, w written) uint64 {
	numbers[key] = uint64(len(*list))
	*list = append(*list, w)
	return numbers[key]
}

func text(s string) written { return written{data: append([]byte(s), 0)} }

// attr returns the number of an attribute. Attributes that refer to bytes are encoded, and all others are text.
func (e *writer) attr(a mlir.Attribute) uint64 {
	key := a.String()
	if i, ok := e.attrs[key]; ok {
		return i
	}
	if !refers(a) {
		return add(e.attrs, &e.attrEntries, key, text(key))
	}
	var data []byte
	number := func(list ...uint64) {
		for _, n := range list {
			data = append(data, encodeVarint(n)...)
		}
	}
	switch a := a.(type) {
	case mlir.ResourceAttr:
		number(16, e.typ(a.Type), e.resource(a))
	case mlir.ArrayAttr:
		number(0, uint64(len(a)))
		for _, item := range a {
			number(e.attr(item))
		}
	case mlir.DictAttr:
		number(1, uint64(len(a)))
		for _, n := range a {
			number(e.attr(mlir.StringAttr(n.Name)), e.attr(n.Value))
		}
	}
	return add(e.attrs, &e.attrEntries, key, written{data: data, encoded: true})
}

// refers reports whether an attribute has bytes of a resource.
func refers(a mlir.Attribute) bool {
	switch a := a.(type) {
	case mlir.ResourceAttr:
		return a.Data != nil
	case mlir.ArrayAttr:
		return slices.ContainsFunc(a, refers)
	case mlir.DictAttr:
		return slices.ContainsFunc(a, func(n mlir.Named) bool { return refers(n.Value) })
	}
	return false
}

// resource returns the number of a resource.
func (e *writer) resource(a mlir.ResourceAttr) uint64 {
	i := slices.IndexFunc(e.resources, func(r mlir.ResourceAttr) bool { return r.Key == a.Key })
	if i < 0 {
		i = len(e.resources)
		e.resources = append(e.resources, a)
	}
	return uint64(i)
}

func (e *writer) typ(t mlir.Type) uint64 {
	if e.portable {
		return e.portableType(t)
	}
	key := t.String()
	if i, ok := e.types[key]; ok {
		return i
	}
	return add(e.types, &e.typeEntries, key, text(key))
}

// numbering are the numbers of values in an isolated region.
type numbering map[*mlir.Value]uint64

// block writes operations behind the arguments of their block.
func (e *writer) block(ops []*mlir.Operation, args []*mlir.Value, values numbering, blocks map[*mlir.Block]uint64) []byte {
	flag := uint64(0)
	if len(args) > 0 {
		flag = 1
	}
	out := encodeVarint(uint64(len(ops))<<1 | flag)
	if len(args) > 0 {
		out = append(out, encodeVarint(uint64(len(args)))...)
		for _, v := range args {
			out = append(out, encodeVarint(e.typ(v.Type)<<1)...)
		}
		out = append(out, 0) // no order of uses
	}
	for _, op := range ops {
		out = append(out, e.operation(op, values, blocks)...)
	}
	return out
}

// attributes returns the attributes of an operation, with the numbers of operands that each successor gets.
func attributes(op *mlir.Operation) mlir.Attrs {
	if properties, ok := op.Attrs.Get("").(mlir.DictAttr); ok { // of an operation that nobody knows
		return append(slices.Clone(mlir.Attrs(properties)), op.Attrs.Without("")...)
	}
	if op.Name != "cf.cond_br" && op.Name != "cf.switch" {
		return op.Attrs
	}
	groups := mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{1, 0, 0}}
	cases := mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{}}
	for i, s := range op.Successors {
		groups.Ints[1+min(i, 1)] += int64(len(s.Args))
		if i > 0 {
			cases.Ints = append(cases.Ints, int64(len(s.Args)))
		}
	}
	attrs := op.Attrs.With("operandSegmentSizes", groups)
	if op.Name == "cf.switch" {
		attrs = attrs.With("case_operand_segments", cases)
	}
	return attrs
}

func (e *writer) operation(op *mlir.Operation, values numbering, blocks map[*mlir.Block]uint64) []byte {
	out := encodeVarint(e.name(op.Name))
	operands := slices.Clone(op.Operands)
	for _, s := range op.Successors {
		operands = append(operands, s.Args...)
	}
	attrs := attributes(op)
	mask := byte(0)
	for bit, there := range map[byte]bool{hasAttrs: len(attrs) > 0, hasResults: len(op.Results) > 0, hasOperands: len(operands) > 0,
		hasSuccessors: len(op.Successors) > 0, hasRegions: len(op.Regions) > 0} {
		if there {
			mask |= bit
		}
	}
	out = append(out, mask)
	out = append(out, encodeVarint(e.attr(mlir.LocationAttr{Loc: op.Loc}))...)
	switch {
	case len(attrs) > 0 && e.portable && op.Name != "builtin.module":
		out = append(out, encodeVarint(e.portableDict(op))...)
	case len(attrs) > 0:
		out = append(out, encodeVarint(e.attr(mlir.DictAttr(attrs)))...)
	}
	numbersOf := func(n int, of func(int) uint64) {
		out = append(out, encodeVarint(uint64(n))...)
		for i := range n {
			out = append(out, encodeVarint(of(i))...)
		}
	}
	if len(op.Results) > 0 {
		numbersOf(len(op.Results), func(i int) uint64 { return e.typ(op.Results[i].Type) })
	}
	if len(operands) > 0 {
		numbersOf(len(operands), func(i int) uint64 { return values[operands[i]] })
	}
	if len(op.Successors) > 0 {
		numbersOf(len(op.Successors), func(i int) uint64 { return blocks[op.Successors[i].Block] })
	}
	if len(op.Regions) == 0 {
		return out
	}
	isolated := op.Def().Has(mlir.IsolatedFromAbove) || op.Name == "builtin.module"
	head := uint64(len(op.Regions)) << 1
	if !isolated {
		out = append(out, encodeVarint(head)...)
		for _, r := range op.Regions {
			out = append(out, e.region(r, values)...)
		}
		return out
	}
	out = append(out, encodeVarint(head|1)...)
	var inside []byte
	for _, r := range op.Regions {
		inside = append(inside, e.region(r, numbering{})...)
	}
	return section(out, sectionIR, inside)
}

// region writes a region. Its values are numbered on from the values of the regions around it.
func (e *writer) region(r *mlir.Region, values numbering) []byte {
	out := encodeVarint(uint64(len(r.Blocks)))
	if len(r.Blocks) == 0 {
		return out
	}
	before := uint64(len(values))
	blocks := map[*mlir.Block]uint64{}
	var own []*mlir.Value
	for i, b := range r.Blocks {
		blocks[b] = uint64(i)
		own = append(own, b.Args...)
		for _, op := range b.Ops {
			own = append(own, op.Results...)
		}
	}
	for i, v := range own {
		values[v] = before + uint64(i)
	}
	out = append(out, encodeVarint(uint64(len(own)))...)
	for _, b := range r.Blocks {
		out = append(out, e.block(b.Ops, b.Args, values, blocks)...)
	}
	for _, v := range own {
		delete(values, v)
	}
	return out
}

// entries returns the attributes and types in groups of one dialect. An entry that is written as text counts to the
// builtin dialect, unless another dialect owns it.
func (e *writer) entries() (offsets, data []byte) {
	offsets = append(encodeVarint(uint64(len(e.attrEntries))), encodeVarint(uint64(len(e.typeEntries)))...)
	for _, list := range [][]written{e.attrEntries, e.typeEntries} {
		for i := 0; i < len(list); {
			n := i
			for n < len(list) && list[n].dialect == list[i].dialect {
				n++
			}
			offsets = append(offsets, encodeVarint(e.dialect(cmp.Or(list[i].dialect, "builtin")))...)
			offsets = append(offsets, encodeVarint(uint64(n-i))...)
			for ; i < n; i++ {
				size := uint64(len(list[i].data)) << 1
				if list[i].encoded {
					size |= 1
				}
				offsets = append(offsets, encodeVarint(size)...)
				data = append(data, list[i].data...)
			}
		}
	}
	return offsets, data
}

func (e *writer) dialectSection() []byte {
	out := encodeVarint(uint64(len(e.dialectNames)))
	for _, d := range e.dialectNames {
		out = append(out, encodeVarint(e.string(d)<<1)...)
	}
	out = append(out, encodeVarint(uint64(len(e.opNames)))...)
	for i := 0; i < len(e.opNames); { // neighbouring names of one dialect
		n := i
		for n < len(e.opNames) && e.opNames[n][0] == e.opNames[i][0] {
			n++
		}
		out = append(out, encodeVarint(e.dialects[e.opNames[i][0]])...)
		out = append(out, encodeVarint(uint64(n-i))...)
		for ; i < n; i++ {
			out = append(out, encodeVarint(e.string(e.opNames[i][1]))...)
		}
	}
	return out
}

// resourceSections are the bytes of resources, and where they are.
func (e *writer) resourceSections() (data, offsets []byte) {
	if len(e.resources) == 0 {
		return nil, nil
	}
	offsets = encodeVarint(0) // none is of others than dialects
	offsets = append(offsets, encodeVarint(e.dialect("builtin"))...)
	offsets = append(offsets, encodeVarint(uint64(len(e.resources)))...)
	for _, r := range e.resources {
		blob := append(encodeVarint(1), encodeVarint(uint64(len(r.Data)))...) // of no alignment
		blob = append(blob, r.Data...)
		data = append(data, blob...)
		offsets = append(offsets, encodeVarint(e.string(r.Key))...)
		offsets = append(offsets, encodeVarint(uint64(len(blob)))...)
		offsets = append(offsets, 0)
	}
	return data, offsets
}

func (e *writer) stringSection() []byte {
	out := encodeVarint(uint64(len(e.texts)))
	for _, s := range slices.Backward(e.texts) {
		out = append(out, encodeVarint(uint64(len(s)+1))...)
	}
	for _, s := range e.texts {
		out = append(append(out, s...), 0)
	}
	return out
}
