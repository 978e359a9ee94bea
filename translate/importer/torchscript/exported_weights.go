package torchscript

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// exportedState holds the tensors of an exported program by name.
type exportedState struct {
	tensors    map[string]*Parameter
	subclasses map[string]*tensorSubclass // tensors of Python classes
	storages   *storages
}

// payload says where the elements of a tensor are.
type payload struct {
	Path   string      `json:"path_name"`
	Pickle bool        `json:"use_pickle"`
	Meta   *tensorMeta `json:"tensor_meta"`
}

// readState reads the tensors of the program in a member of the archive. They are files of torch.save, one for
// all weights and one for all constants, or, from PyTorch 2.9 on, files of elements that a table lists.
func (m *Model) readState(a *archive, program string, size int64) (*exportedState, error) {
	copies := maxCopiesBase + maxCopies*int(size)
	s := &exportedState{tensors: map[string]*Parameter{}, subclasses: map[string]*tensorSubclass{}, storages: &storages{archive: a, loaded: map[string]*storage{},
		copies: &copies}}
	name := strings.TrimSuffix(path.Base(program), ".json")
	for _, kind := range []struct {
		folder string
		tables []string // their names behind the program's
		old    string
	}{
		{"data/weights/", []string{"_weights_config.json", "_model_param_config.json"}, "serialized_state_dict"},
		{"data/constants/", []string{"_constants_config.json", "_model_constants_config.json"}, "serialized_constants"},
	} {
		for _, table := range kind.tables {
			table = kind.folder + name + table
			if a.members[table] == nil {
				continue
			}
			if err := s.table(m, table, kind.folder, size); err != nil {
				return nil, err
			}
		}
		for _, saved := range []string{kind.folder + name + ".pt", kind.old + ".pt", kind.old + ".json"} {
			if a.members[saved] == nil {
				continue
			}
			file, err := saveFile(a, saved)
			if err != nil {
				return nil, err
			}
			for _, p := range file.parameters {
				s.tensors[p.Name] = p
			}
			m.parameters = append(m.parameters, file.parameters...)
		}
	}
	return s, nil
}

// table reads the tensors that a table lists.
func (s *exportedState) table(m *Model, member, folder string, size int64) error {
	data, err := s.storages.archive.read(member, maxProgram)
	if err != nil {
		return err
	}
	if len(data) > textPerByte*int(min(size, maxProgram)) {
		return fmt.Errorf("%s: %d bytes of text in an archive of %d", member, len(data), size)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for _, want := range []json.Token{json.Delim('{'), "config", json.Delim('{')} {
		if t, err := d.Token(); err != nil || t != want {
			return fmt.Errorf("%s: byte %d: the table does not begin with config", member, d.InputOffset())
		}
	}
	for d.More() {
		name, err := d.Token()
		var p payload
		if err == nil {
			err = d.Decode(&p)
		}
		text, _ := name.(string)
		if err == nil {
			err = s.load(m, text, folder, &p)
		}
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", member, text, err)
		}
	}
	return nil
}

func (s *exportedState) load(m *Model, name, folder string, p *payload) error {
	if s.tensors[name] != nil || s.subclasses[name] != nil {
		return errors.New("the name comes twice")
	}
	if len(name) > maxPath {
		return fmt.Errorf("the name has %d bytes", len(name))
	}
	if p.Pickle {
		if p.Meta == nil {
			return nil // an object, which is reported where it is used
		}
		file, err := saveFile(s.storages.archive, folder+p.Path)
		if err != nil {
			return err
		}
		if w, ok := file.root.(*tensorSubclass); ok {
			for _, p := range file.parameters {
				p.Name = name + "." + p.Name
			}
			s.subclasses[name] = w
		} else if len(file.parameters) != 1 {
			return fmt.Errorf("%s holds %d tensors, not one", p.Path, len(file.parameters))
		} else {
			file.parameters[0].Name = name
			s.tensors[name] = file.parameters[0]
		}
		m.parameters = append(m.parameters, file.parameters...)
		return nil
	}
	if p.Meta == nil {
		return errors.New("its type is missing")
	}
	d := dtype.FromSchemaCode(p.Meta.DType)
	if d == dtype.Invalid {
		return unknownElements(p.Meta.DType, schemaComplexHalf)
	}
	dims, err1 := p.Meta.extents(p.Meta.Sizes)
	strides, err2 := p.Meta.extents(p.Meta.Strides)
	offset, err3 := decoded[int](p.Meta.Offset.data)
	if err1 != nil || err2 != nil || err3 != nil || len(dims) != len(strides) || len(dims) > maxRank || p.Meta.Offset.kind != "as_int" {
		return errors.New("its shape is malformed")
	}
	key := folder + p.Path
	loaded := s.storages.loaded[key]
	if loaded == nil {
		var err error
		if loaded, err = s.storages.load(key, dtype.Invalid, 0); err != nil {
			return err
		}
		s.storages.loaded[key] = loaded
	}
	data, err := s.storages.view(loaded, d, offset, dims, strides)
	if err != nil {
		return err
	}
	s.tensors[name] = &Parameter{Name: name, Data: data, bare: true, inside: offset != 0 || !isRowMajor(dims, strides)}
	m.parameters = append(m.parameters, s.tensors[name])
	return nil
}

// saveFile reads a member that torch.save wrote and that the archive holds as it is.
func saveFile(a *archive, member string) (*Model, error) {
	f := a.members[member]
	if f == nil {
		return nil, fmt.Errorf("%s: the archive has no such member", member)
	}
	if f.Method != zip.Store {
		return nil, fmt.Errorf("%s: an archive that is compressed in another one", member)
	}
	if f.UncompressedSize64 == 0 {
		return &Model{}, nil // there are no tensors
	}
	data, err := a.read(member, uint64(f.CompressedSize64))
	if err != nil {
		return nil, err
	}
	inner := &Model{Name: member}
	if err := inner.read(bytes.NewReader(data), int64(len(data)), ""); err != nil {
		return nil, err
	}
	if inner.exported != nil {
		return nil, fmt.Errorf("%s: a program among the tensors of another", member)
	}
	return inner, nil
}
