package torchscript

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// constantsPrefix begins the names of the tensors that the code refers to as constants.
const constantsPrefix = "CONSTANTS.c"

// Model is a .pt or .pt2 file in memory. It is immutable: [Model.Forward] and [Model.Import] may run
// concurrently with each other.
type Model struct {
	// Name is the name of the file, for messages.
	Name string

	library    *library
	root       value     // a *object, or a *dict for a state_dict
	constants  []value   // CONSTANTS.c0, c1, ...
	exported   *exported // of a program of torch.export
	parameters []*Parameter
	traces     traces  // of the engine of quantized weights
	names      []alias // of tensors that have another one
	quanta     []quanta
	nameBytes  int
}

// alias is a further name of a tensor.
type alias struct {
	name      string
	parameter *Parameter
}

// Load reads the .pt or .pt2 file at path. Everything is read and checked at once; the file is not kept
// open. Of a file with several programs, FILE#NAME is one. Errors name the file and the place in it.
func Load(path string) (*Model, error) {
	file, program := ProgramOf(path)
	f, size, err := inputfile.Open(file)
	if err != nil {
		return nil, err // it names the file and what is wrong
	}
	defer f.Close()
	m := &Model{Name: path}
	if err := m.read(f, size, program); err != nil {
		return nil, err
	}
	return m, nil
}

// ProgramOf cuts FILE.pt2#NAME, which names a program of a file, into the two. The name of other paths is empty.
func ProgramOf(path string) (file, program string) {
	if at := strings.LastIndex(path, ".pt2#"); at >= 0 {
		return path[:at+len(".pt2")], path[at+len(".pt2#"):]
	}
	return path, ""
}

// Read reads a .pt file of the given size; name stands for it in messages. Errors have the name and the place in the
// file.
func Read(r io.ReaderAt, size int64, name string) (*Model, error) {
	m := &Model{Name: name}
	if err := m.read(r, size, ""); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Model) read(r io.ReaderAt, size int64, program string) (err error) {
	defer m.catch(&err)
	a, err := openArchive(r, size, program)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	bigEndian, err := readByteOrder(a)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if m.library, err = newLibrary(a); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if a.program != "" {
		if err := m.readProgram(a, a.program, size); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		return nil
	}
	copies := maxCopiesBase + maxCopies*int(size)
	load := func(member, folder string) value {
		o := &objects{member: member, library: m.library, memo: map[pickle.Value]value{},
			storages: &storages{archive: a, folder: folder, bigEndian: bigEndian,
				loaded: map[string]*storage{}, copies: &copies}}
		return o.read(a)
	}
	m.root = load("data.pkl", "data")
	if a.members["constants.pkl"] != nil {
		m.constants = itemsOf(load("constants.pkl", "constants"))
	}
	m.nameParameters()
	for i, c := range m.constants {
		m.traces.note(c)
		if p, ok := c.(*Parameter); ok && p.Name == "" {
			p.Name = fmt.Sprintf(constantsPrefix+"%d", i)
		}
	}
	return nil
}

// readByteOrder reports whether the storages are big-endian. Files of older releases do not say:
// they are little-endian.
func readByteOrder(a *archive) (bigEndian bool, err error) {
	const member = "byteorder"
	if a.members[member] == nil {
		return false, nil
	}
	data, err := a.read(member, 16)
	if err != nil {
		return false, err
	}
	switch order := strings.TrimSpace(string(data)); order {
	case "little":
		return false, nil
	case "big":
		return true, nil
	default:
		return false, fmt.Errorf("%s: byte 0: %q is not a byte order", member, order)
	}
}

// Parameters returns the model's parameters and buffers in the order of the file, each once. The
// data must not be changed.
func (m *Model) Parameters() []*Parameter { return m.parameters }

// place is a value of the model and how it is reached.
type place struct {
	value    value
	path     string
	isBuffer bool
}

// maxPath bounds the names of parameters, in bytes: names of real models have up to about a hundred.
const maxPath = 512

// at returns the place of a value inside of p.
func (p place) at(name string, v value, isBuffer bool) place {
	if p.path != "" {
		name = p.path + "." + name
	}
	if len(name) > maxPath {
		name = "..." + name[len(name)-maxPath+3:]
	}
	return place{v, name, isBuffer}
}

// nameParameters names every tensor after the attributes that lead to it, and every object, too.
func (m *Model) nameParameters() {
	seen := map[value]bool{}
	stack := []place{{value: m.root}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch v := at.value.(type) {
		case *Parameter:
			v.Name, v.IsBuffer = at.path, at.isBuffer
			m.parameters = append(m.parameters, v)
		case *object:
			v.path = at.path
		case *quantized:
			m.traces.note(v)
			m.quanta = append(m.quanta, quanta{at.path, v})
		}
		first := len(stack)
		at.inside(func(name string, v value, isBuffer bool) {
			switch v.(type) {
			case *Parameter, *object, *dict, *list, *tuple, *quantized, *packed, *tensorSubclass:
				if !seen[v] {
					seen[v] = true
					stack = append(stack, at.at(name, v, isBuffer))
					return
				}
				switch path := at.at(name, v, isBuffer).path; v := v.(type) {
				case *Parameter:
					m.rename(path, v)
				case *quantized:
					m.renameQuantized(path, v)
				}
			}
		})
		slices.Reverse(stack[first:])
	}
}

// maxNames bounds the further names of tensors, in bytes.
const maxNames = 16 << 20

// rename notes another name of a tensor.
func (m *Model) rename(name string, p *Parameter) {
	if m.nameBytes += len(name); m.nameBytes <= maxNames {
		m.names = append(m.names, alias{name, p})
	}
}

// State returns the model's parameters and buffers by all names that lead to them: weights that layers share have
// several. A quantized tensor NAME has its integers as NAME.int_repr, beside NAME.scale and NAME.zero_point, which are
// vectors along dimension NAME.axis if channels have their own. The data must not be changed. Two tensors of one name
// are an error, and so are names that take too much memory.
func (m *Model) State() (map[string]*buf.Buffer, error) {
	if m.nameBytes > maxNames {
		return nil, fmt.Errorf("%s: the names of tensors that have several take more than %d bytes", m.Name, maxNames)
	}
	state := map[string]*buf.Buffer{}
	for _, a := range m.names {
		state[a.name] = a.parameter.Data
	}
	for _, p := range m.parameters {
		if other := state[p.Name]; other != nil && other != p.Data {
			return nil, fmt.Errorf("%s: two tensors have the name %q, which their keys make together: rename one of them", m.Name, p.Name)
		}
		state[p.Name] = p.Data
	}
	for _, q := range m.quanta {
		own := q.state()
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if state[name] != nil {
				return nil, fmt.Errorf("%s: the quantized tensor %q has a part %q, and a tensor has this name, too: rename one of them",
					m.Name, q.name, name)
			}
			state[name] = own[name]
		}
	}
	return state, nil
}

// inside visits the values that a value holds.
func (p place) inside(visit func(name string, v value, isBuffer bool)) {
	switch v := p.value.(type) {
	case *object:
		trained := map[string]bool{}
		for _, name := range v.class.names("__parameters__") {
			trained[name] = true
		}
		for _, name := range v.names {
			visit(name, v.attrs[name], !trained[name])
		}
		if v.stale {
			visit("state", v.state, true)
		}
	case *quantized:
		visit("int_repr", v.data, true)
	case *packed:
		visit("weight", v.weight, true)
		visit("bias", v.bias, true)
	case *tensorSubclass:
		for i, name := range v.names {
			visit(name, v.values[i], true)
		}
	case *dict:
		for i, k := range v.keys {
			visit(text(k), v.values[i], p.isBuffer)
		}
	case *list, *tuple:
		for i, item := range itemsOf(v) {
			visit(strconv.Itoa(i), item, p.isBuffer)
		}
	}
}

// forward returns the method that the model runs.
func (m *Model) forward() (*object, *script.Function, error) {
	root, ok := m.root.(*object)
	if !ok {
		return nil, nil, fmt.Errorf("%s: data.pkl: byte 0: the file holds %s and no module: "+
			"it can be read for its parameters, but not run", m.Name, kindOf(m.root))
	}
	f := root.class.def.Method("forward")
	if f == nil {
		return nil, nil, fmt.Errorf("%s: %v: class %s has no method forward", m.Name,
			root.class.def.Position, root.class.name)
	}
	if len(f.Parameters) == 0 {
		return nil, nil, fmt.Errorf("%s: %v: forward has no parameter self", m.Name, f.Position)
	}
	return root, f, nil
}

// RequiredInputs returns how many inputs have no default: the others, which follow, may be missing.
func (m *Model) RequiredInputs() int {
	if m.exported != nil {
		return len(m.InputNames())
	}
	_, f, err := m.forward()
	if err != nil {
		return 0
	}
	n := 0
	for _, p := range f.Parameters[1:] {
		if p.Default == nil {
			n++
		}
	}
	return n
}

// InputNames returns the names of forward's parameters after self; nil if there is no forward.
func (m *Model) InputNames() []string {
	if m.exported != nil {
		names := []string{}
		for _, in := range m.exported.userInputs() {
			names = append(names, in.name)
		}
		return names
	}
	_, f, err := m.forward()
	if err != nil {
		return nil
	}
	names := []string{}
	for _, p := range f.Parameters[1:] {
		names = append(names, p.Name)
	}
	return names
}
