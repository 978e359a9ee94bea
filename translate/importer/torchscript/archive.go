package torchscript

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
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
	if e, found := findEnd(r, size); err == nil && found && !e.long() && int64(e.start)+int64(e.length) > e.at {
		err = zip.ErrFormat // the package zip takes members at negative places for read
	}
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
		if f.Flags&1 != 0 {
			return nil, fmt.Errorf("%s is encrypted: write the archive without a password", f.Name)
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
	case head == "PK\x03\x04":
		e, found := findEnd(r, size)
		if !found {
			return fmt.Errorf("byte %d: the file is truncated: a zip archive's directory is missing "+
				"at its end", size)
		}
		return fmt.Errorf("byte %d: the zip archive is damaged: its end says that the directory has %d bytes from byte %d on: %w",
			e.at, e.length, e.start, err)
	case strings.HasPrefix(head, "\x80"):
		return errors.New("byte 0: a bare pickle, as torch.save wrote before PyTorch 1.6: " +
			"load and save it with a newer release")
	}
	return fmt.Errorf("byte 0: not a .pt file: it starts with %q instead of %q", head, "PK\x03\x04")
}

// directoryEnd is the record at the end of a zip archive.
type directoryEnd struct {
	at            int64  // its first byte
	length, start uint32 // of the directory, in bytes; all bits are set where a longer record has them
}

// findEnd finds the record at the end of a zip archive; its absence says that the file ends early.
func findEnd(r io.ReaderAt, size int64) (e directoryEnd, found bool) {
	const record = 22 // bytes, before a comment of up to 64 KiB
	tail := make([]byte, min(size, record+1<<16))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return e, false
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < record {
		return e, false
	}
	number := binary.LittleEndian.Uint32
	return directoryEnd{size - int64(len(tail)-i), number(tail[i+12:]), number(tail[i+16:])}, true
}

// long reports whether the numbers stand in a record of their own, as in archives above 4 GiB.
func (e directoryEnd) long() bool { return e.length == math.MaxUint32 || e.start == math.MaxUint32 }

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
		return "", errors.New("the archive has no data.pkl: no file of PyTorch; save one by torch.jit.save or torch.export.save")
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
