package torchscript

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
)

// library finds classes and functions by their qualified names in the code of an archive. The
// definitions of __torch__.torch.nn.modules.linear are in
// code/__torch__/torch/nn/modules/linear.py. Files are parsed when they are first needed. A library
// is safe for concurrent use.
type library struct {
	texts map[string][]byte // the members of code/
	bytes int               // of all texts

	mu      sync.Mutex
	files   map[string]*script.File // by module; nil for a module without a file
	found   map[string]value        // by qualified name
	sources map[string]*sourceMap   // by member
}

// newLibrary reads the code of an archive.
func newLibrary(a *archive) (*library, error) {
	l := &library{texts: map[string][]byte{}, files: map[string]*script.File{},
		found: map[string]value{}, sources: map[string]*sourceMap{}}
	for _, name := range a.names {
		if strings.HasPrefix(name, "code/") {
			text, err := a.read(name, maxText)
			if err != nil {
				return nil, err
			}
			l.texts[name] = text
			l.bytes += len(text)
		}
	}
	return l, nil
}

// origin returns the place in the original Python that a position in the code comes from.
func (l *library) origin(p script.Position) (mlir.Location, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sources[p.File].at(p)
}

// file returns the parsed file of a module, or nil if there is none.
func (l *library) file(module string) (*script.File, error) {
	if f, ok := l.files[module]; ok {
		return f, nil
	}
	member := path.Join("code", strings.ReplaceAll(module, ".", "/")) + ".py"
	source, ok := l.texts[member]
	if !ok {
		l.files[module] = nil
		return nil, nil
	}
	f, err := script.Parse(member, string(source))
	if err != nil {
		return nil, err
	}
	l.files[module] = f
	l.sources[member] = readSourceMap(l.texts[member+".debug_pkl"], string(source))
	return f, nil
}

// lookup returns the *class, *closure or *enum of a qualified name, or nil if there is none.
func (l *library) lookup(name string) (value, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cached(name)
}

func (l *library) cached(name string) (value, error) {
	if v, ok := l.found[name]; ok {
		return v, nil
	}
	v, err := l.find(name)
	if err == nil {
		l.found[name] = v
	}
	return v, err
}

func (l *library) find(name string) (value, error) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil, nil
	}
	prefix, last := name[:dot], name[dot+1:]
	f, err := l.file(prefix)
	if err != nil {
		return nil, err
	}
	if f != nil {
		for _, c := range f.Classes {
			if c.Name == last {
				return newClass(name, c), nil
			}
		}
		for _, fn := range f.Functions {
			if fn.Name == last {
				return &closure{function: fn}, nil
			}
		}
		return nil, nil
	}
	// A method of a class, or a member of an enumeration.
	outer, err := l.cached(prefix)
	if c, ok := outer.(*class); ok && err == nil {
		if m := c.def.Method(last); m != nil {
			return &closure{function: m}, nil
		}
		if e := c.members[last]; e != nil {
			return e, nil
		}
	}
	return nil, err
}

// class returns the class of a qualified name.
func (l *library) class(name string) (*class, error) {
	v, err := l.lookup(name)
	if err != nil {
		return nil, err
	}
	if c, ok := v.(*class); ok {
		return c, nil
	}
	return nil, fmt.Errorf("the archive's code has no class %s", name)
}

func newClass(name string, def *script.Class) *class {
	c := &class{name: name, def: def, members: map[string]*enum{}}
	if def.Base == "Enum" {
		for _, f := range def.Fields {
			if v, ok := constantOf(f.Value); ok {
				c.members[f.Name] = &enum{c, f.Name, v}
			}
		}
	}
	return c
}

// memberOf returns the member of an enumeration that has the given value, or nil.
func (c *class) memberOf(v value) *enum {
	for _, f := range c.def.Fields {
		if e := c.members[f.Name]; e != nil && e.value == v {
			return e
		}
	}
	return nil
}

// constantOf returns the value of an expression that is a literal.
func constantOf(e script.Expr) (value, bool) {
	literal, ok := e.(*script.Literal)
	if !ok {
		return nil, false
	}
	if n, ok := literal.Value.(int64); ok {
		return int(n), true
	}
	return literal.Value, true
}

// names returns the strings of a field such as __parameters__ = ["weight", ].
func (c *class) names(field string) []string {
	f := c.def.Field(field)
	if f == nil {
		return nil
	}
	items, _ := f.Value.(*script.List)
	if items == nil {
		return nil
	}
	var names []string
	for _, item := range items.Items {
		if v, ok := constantOf(item); ok {
			if s, ok := v.(string); ok {
				names = append(names, s)
			}
		}
	}
	return names
}
