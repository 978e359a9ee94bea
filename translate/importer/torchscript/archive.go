package torchscript

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

const (
	// maxText bounds what is read as a pickle or as code, in bytes.
	maxText = 256 << 20
	// maxExpansion bounds the sum of the unpacked sizes in relation to the archive's. PyTorch
	// stores without compression; other tools that repack an archive gain a factor of a few.
	maxExpansion = 100
)

// archive is a .pt file: a zip archive whose members lie in one folder.
type archive struct {
	prefix  string // of all members, with its slash; may be empty
	program string // the member with a program of torch.export, without the prefix; may be empty
	members map[string]*zip.File
	names   []string // of the members in the archive's order, without the prefix
}

// openArchive reads the directory of an archive; program names one of several programs and may be empty.
func openArchive(r io.ReaderAt, size int64, program string) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, explainZip(r, size, err)
	}
	a := &archive{members: map[string]*zip.File{}}
	a.prefix, err = findPrefix(z)
	if err != nil {
		return nil, err
	}
	var packed, unpacked uint64
	for _, f := range z.File {
		if packed += f.CompressedSize64; packed > uint64(size) || f.CompressedSize64 > uint64(size) {
			return nil, fmt.Errorf("%s: the sizes of the members exceed the archive's %d bytes",
				f.Name, size)
		}
		unpacked += f.UncompressedSize64
		if limit := uint64(size) * maxExpansion; unpacked > limit || f.UncompressedSize64 > limit {
			return nil, fmt.Errorf("%s: the archive would unpack to more than %d times its size",
				f.Name, maxExpansion)
		}
		name, ok := strings.CutPrefix(f.Name, a.prefix)
		if !ok || strings.HasSuffix(name, "/") {
			continue
		}
		if a.members[name] != nil {
			return nil, fmt.Errorf("%s: the archive has two members of this name", f.Name)
		}
		a.members[name] = f
		a.names = append(a.names, name)
	}
	if a.members["data.pkl"] == nil {
		a.program, err = programMember(a.names, program)
	}
	return a, err
}

// explainZip says what is wrong with a file that is not a zip archive.
func explainZip(r io.ReaderAt, size int64, err error) error {
	var start [4]byte
	n, _ := r.ReadAt(start[:], 0)
	head := string(start[:n])
	switch {
	case size == 0:
		return errors.New("byte 0: the file is empty")
	case head == "PK\x03\x04" && errors.Is(err, zip.ErrFormat):
		return fmt.Errorf("byte %d: the file is truncated: a zip archive's directory is missing "+
			"at its end", size)
	case strings.HasPrefix(head, "\x80"):
		return errors.New("byte 0: a bare pickle, as torch.save wrote before PyTorch 1.6: " +
			"load and save it with a newer release")
	case head == "PK\x03\x04":
		return fmt.Errorf("byte %d: the zip archive is damaged: %w", size, err)
	}
	return fmt.Errorf("byte 0: not a .pt file: it starts with %q instead of %q", head, "PK\x03\x04")
}

// findPrefix returns the folder that holds data.pkl: the archive's name in most files.
func findPrefix(z *zip.Reader) (string, error) {
	best, found := "", false
	for _, f := range z.File {
		if dir, base := path.Split(f.Name); base == "data.pkl" && (!found || len(dir) < len(best)) {
			best, found = dir, true
		}
	}
	if !found {
		for _, f := range z.File {
			dir, base := path.Split(f.Name)
			switch {
			case base == "serialized_exported_program.json":
				return dir, nil
			case path.Base(dir) == "models" && path.Ext(base) == ".json":
				return strings.TrimSuffix(dir, "models/"), nil
			case strings.Contains(dir, "data/aotinductor/"):
				return "", fmt.Errorf("%s: the archive holds compiled code and no program: save it by torch.export.save", f.Name)
			}
		}
		for _, f := range z.File {
			if path.Base(f.Name) == "model.json" {
				return "", fmt.Errorf("%s: a file of a release before PyTorch 1.4: load and save it "+
					"with a newer one", f.Name)
			}
		}
		return "", errors.New("the archive has no data.pkl: not a .pt file of PyTorch")
	}
	return best, nil
}

// read returns the bytes of a member, which must be at most limit.
func (a *archive) read(name string, limit uint64) ([]byte, error) {
	f := a.members[name]
	if f == nil {
		return nil, fmt.Errorf("%s: the archive has no such member", name)
	}
	if f.UncompressedSize64 > limit {
		return nil, fmt.Errorf("%s: %d bytes exceed the limit of %d", name, f.UncompressedSize64, limit)
	}
	data := make([]byte, f.UncompressedSize64)
	return data, a.readInto(name, data)
}

// readInto fills data with the bytes of a member, whose size must be the same.
func (a *archive) readInto(name string, data []byte) error {
	f := a.members[name]
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	if n, err := io.ReadFull(r, data); err != nil {
		return fmt.Errorf("%s: byte %d: the member ends early: %w", name, n, err)
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF { // also checks the sum
		if err == nil {
			err = errors.New("it is longer than the directory says")
		}
		return fmt.Errorf("%s: byte %d: %w", name, len(data), err)
	}
	return nil
}
