package bytecode

import (
	"bytes"
	"fmt"

	"github.com/go-acap/acap/mlir"
)

var magic = []byte("ML\xefR")

// Is reports whether data begins as bytecode does.
func Is(data []byte) bool { return bytes.HasPrefix(data, magic) }

// The versions of the format from which something differs.
const (
	versioning  = 1 // of dialects
	nested      = 2 // isolated regions have sections
	useLists    = 3
	elided      = 4 // locations of arguments, and the number of names stands in front
	properties  = 5
	newest      = 6
	sectionText = 0
	sectionDialects,
	sectionEntries,
	sectionOffsets,
	sectionIR,
	sectionResources,
	sectionResourceOffsets,
	sectionVersions,
	sectionProperties = 1, 2, 3, 4, 5, 6, 7, 8
	sections = 9
)

// reader is a file that is being read.
type reader struct {
	name    string
	version uint64
	parts   [sections]*cursor

	strings  []string
	dialects []string
	names    []opName
	attrs    []entry[mlir.Attribute]
	types    []entry[mlir.Type]
	props    []*cursor
	handles  []handle          // of resources
	bodies   map[string]string // of attributes of Shardy, by their text
	depth    int
}

// opName is the name of operations; registered says that whoever wrote them knew the dialect.
type opName struct {
	name       string
	registered bool
}

// entry is an attribute or a type that is decoded when it is first used.
type entry[T any] struct {
	dialect string
	data    *cursor
	custom  bool
	done    bool
	value   T
}

// handle is a resource.
type handle struct {
	key  string
	data []byte
}

// Parse reads a module that is bytecode or text. Errors are those of [Read] and of [mlir.Parse].
func Parse(name string, data []byte) (*mlir.Operation, error) {
	if Is(data) {
		return Read(name, data)
	}
	return mlir.Parse(name, data)
}

// Read reads a module. name stands for the file in messages, which have the offset of the byte. Bytes that are no
// bytecode, a newer version of the format, and operations that do not verify are errors.
func Read(name string, data []byte) (module *mlir.Operation, err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			module, err = nil, fmt.Errorf("%s: %w", name, f.err)
		default:
			panic(f)
		}
	}()
	r := &reader{name: name, bodies: map[string]string{}}
	c := &cursor{data: data}
	if !Is(data) {
		c.failf("this is no bytecode")
	}
	c.pos = len(magic)
	if r.version = c.varint(); r.version > newest {
		c.failf("version %d of the format; 0 to %d are supported", r.version, newest)
	}
	c.text() // who wrote the file
	for !c.empty() {
		id, part := c.section()
		if int(id) >= sections || r.parts[id] != nil {
			c.failf("a section %d that is unknown or there twice", id)
		}
		r.parts[id] = part
	}
	for _, s := range []struct {
		id   byte
		what string
	}{{sectionText, "strings"}, {sectionDialects, "dialects"}, {sectionEntries, "attributes and types"}, {sectionOffsets, "offsets"},
		{sectionIR, "operations"}} {
		if r.parts[s.id] == nil {
			c.failf("there is no section of %s", s.what)
		}
	}
	r.readStrings(r.parts[sectionText])
	r.readDialects(r.parts[sectionDialects])
	r.readResources()
	r.readEntries()
	if p := r.parts[sectionProperties]; p != nil {
		r.props = list(p, func() *cursor {
			n := p.varint()
			at := p.pos
			return &cursor{data: p.bytes(n), base: p.base + at}
		})
	}
	module = r.module(r.parts[sectionIR])
	fromVHLO(module)
	return module, nil
}

func (r *reader) readStrings(c *cursor) {
	n := c.count()
	sizes := make([]uint64, n)
	for i := range sizes { // from the last
		sizes[n-1-i] = c.varint()
	}
	r.strings = make([]string, n)
	for i, size := range sizes {
		text := c.bytes(size)
		if size == 0 || text[size-1] != 0 {
			c.failf("a string without end")
		}
		r.strings[i] = string(text[:size-1])
	}
}

func (r *reader) string(c *cursor) string { return at(c, r.strings, c.varint()) }

// at is an item of a table.
func at[T any](c *cursor, table []T, i uint64) T {
	if i >= uint64(len(table)) {
		c.failf("item %d of %d", i, len(table))
	}
	return table[i]
}

func (r *reader) readDialects(c *cursor) {
	n := c.count()
	for range n {
		if r.version < versioning {
			r.dialects = append(r.dialects, r.string(c))
			continue
		}
		name, versioned := c.flagged()
		r.dialects = append(r.dialects, at(c, r.strings, name))
		if versioned {
			c.section()
		}
	}
	if r.version >= elided {
		c.varint() // how many names there are
	}
	for !c.empty() {
		r.group(c, func(dialect string) {
			name := opName{registered: true}
			if r.version < properties {
				name.name = r.string(c)
			} else {
				i, registered := c.flagged()
				name.name, name.registered = at(c, r.strings, i), registered
			}
			name.name = dialect + "." + name.name
			r.names = append(r.names, name)
		})
	}
}

// group reads items of one dialect.
func (r *reader) group(c *cursor, item func(dialect string)) {
	dialect := at(c, r.dialects, c.varint())
	for range c.count() {
		item(dialect)
	}
}

func (r *reader) readEntries() {
	c, data := r.parts[sectionOffsets], r.parts[sectionEntries]
	attrs, types := c.varint(), c.varint()
	next := func(dialect string) (string, *cursor, bool) {
		size, custom := c.flagged()
		at := data.pos
		return dialect, &cursor{data: data.bytes(size), base: data.base + at}, custom
	}
	for uint64(len(r.attrs)) < attrs {
		r.group(c, func(dialect string) {
			d, part, custom := next(dialect)
			r.attrs = append(r.attrs, entry[mlir.Attribute]{dialect: d, data: part, custom: custom})
		})
	}
	for uint64(len(r.types)) < types {
		r.group(c, func(dialect string) {
			d, part, custom := next(dialect)
			r.types = append(r.types, entry[mlir.Type]{dialect: d, data: part, custom: custom})
		})
	}
}

// readResources reads blobs that attributes refer to.
func (r *reader) readResources() {
	c, data := r.parts[sectionResourceOffsets], r.parts[sectionResources]
	if c == nil || data == nil {
		return
	}
	external := c.varint()
	for i := uint64(0); !c.empty(); i++ {
		c.varint() // whose they are
		for range c.count() {
			h := handle{key: r.string(c)}
			size, kind := c.varint(), c.byte()
			at := data.pos
			part := &cursor{data: data.bytes(size), base: data.base + at}
			if kind == 0 && size > 0 {
				alignment, n := part.varint(), part.varint()
				part.align(alignment)
				h.data = part.bytes(n)
			}
			if i >= external {
				r.handles = append(r.handles, h)
			}
		}
	}
}

// maxDepth bounds the nesting of attributes, types and regions.
const maxDepth = 1 << 10

func (r *reader) enter(c *cursor) {
	if r.depth++; r.depth > maxDepth {
		c.failf("more than %d levels", maxDepth)
	}
}

func (r *reader) leave() { r.depth-- }

// attr reads the number of an attribute and returns it.
func (r *reader) attr(c *cursor) mlir.Attribute { return r.attrAt(c, c.varint()) }

// attrAt is the attribute of a number.
func (r *reader) attrAt(c *cursor, i uint64) mlir.Attribute {
	return valueAt(r, c, r.attrs, i, mlir.ParseAttribute, func(dialect string, data *cursor) mlir.Attribute {
		switch dialect {
		case "builtin":
			return r.builtinAttr(data)
		case "vhlo":
			return r.vhloAttr(data)
		case "sdy":
			return r.sdyAttr(data)
		}
		data.failf("an attribute of the dialect %s in an encoding of its own", dialect)
		return nil
	})
}

// typ reads the number of a type and returns it.
func (r *reader) typ(c *cursor) mlir.Type { return r.typeAt(c, c.varint()) }

// typeAt is the type of a number.
func (r *reader) typeAt(c *cursor, i uint64) mlir.Type {
	return valueAt(r, c, r.types, i, mlir.ParseType, func(dialect string, data *cursor) mlir.Type {
		switch dialect {
		case "builtin":
			t := r.builtinType(data)
			if err := mlir.CheckElement(t); err != nil {
				data.failf("%v", err)
			}
			return t
		case "vhlo":
			return r.vhloType(data)
		case "quant":
			return r.quantType(data)
		}
		data.failf("a type of the dialect %s in an encoding of its own", dialect)
		return nil
	})
}

// valueAt is the attribute or type of a number, which is read once: from its text, or from an encoding of its dialect's
// own.
func valueAt[V any](r *reader, c *cursor, list []entry[V], i uint64, parse func(string) (V, error),
	custom func(dialect string, data *cursor) V) V {
	at(c, list, i)
	e := &list[i]
	if e.done {
		return e.value
	}
	r.enter(c)
	defer r.leave()
	if e.custom {
		e.value = custom(e.dialect, e.data)
		if !e.data.empty() {
			e.data.failf("%d bytes are left behind a type or attribute", len(e.data.data)-e.data.pos)
		}
	} else {
		v, err := parse(e.data.text())
		if err != nil {
			e.data.failf("%w", err)
		}
		e.value = v
	}
	e.done = true
	return e.value
}
