package npy

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
)

// Array is an array of an archive.
type Array struct {
	Name string // without ".npy"
	Data *buf.Buffer
}

// suffix of an array's name in an archive.
const suffix = ".npy"

// ReadArchiveFile reads the .npz file at path: a zip archive of arrays, in their order, as numpy.savez
// and numpy.savez_compressed write it. Together they may need as much memory as [buf.Limit]; more is an error, and so
// are members that are no .npy files and two arrays of one name.
func ReadArchiveFile(path string) ([]Array, error) {
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	arrays, err := ReadArchive(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, nil
}

// ReadArchive reads an archive of the given size; see [ReadArchiveFile]. Errors name the member: one that is no .npy
// file, stands there twice, or cannot be read. More bytes than [buf.Limit] are a [*buf.MemoryError].
func ReadArchive(r io.ReaderAt, size int64) ([]Array, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: byte 0: not an .npz file: %w", err)
	}
	var arrays []Array
	var total int64
	seen := map[string]bool{}
	for _, member := range z.File {
		name, ok := strings.CutSuffix(member.Name, suffix)
		if !ok {
			return nil, fmt.Errorf("npz: %q: a member of an archive is an .npy file", member.Name)
		}
		if seen[name] {
			return nil, fmt.Errorf("npz: two arrays are named %q", name)
		}
		seen[name] = true
		left := buf.Limit() - total
		b, err := readMember(member, left)
		if err != nil {
			return nil, fmt.Errorf("npz: %q: %w", member.Name, err)
		}
		total += int64(len(b.Bytes()))
		arrays = append(arrays, Array{name, b})
	}
	return arrays, nil
}

// readMember reads an array of at most most bytes.
func readMember(member *zip.File, most int64) (*buf.Buffer, error) {
	r, err := member.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// The size in the directory is not trusted: memory grows with what is there.
	b, err := read(r, -1, most)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(r, firstChunk)); err != nil { // the sum is wrong
		return nil, err
	}
	return b, nil
}

// WriteArchiveFile writes arrays to an archive, without compression, which it creates or replaces
// whole. Errors are those of [WriteArchive] and of the file; the old file then stays.
func WriteArchiveFile(path string, arrays []Array) error {
	return atomicfile.Write(path, func(w io.Writer) error { return WriteArchive(w, arrays) })
}

// WriteArchive writes arrays as an archive. The same arrays give the same bytes. Two arrays of one name are an error,
// and so is a type that NumPy does not have; see [Has].
func WriteArchive(w io.Writer, arrays []Array) error {
	z := zip.NewWriter(w)
	seen := map[string]bool{}
	for _, a := range arrays {
		if seen[a.Name] {
			return fmt.Errorf("npz: two arrays are named %q", a.Name)
		}
		seen[a.Name] = true
		member, err := z.CreateHeader(&zip.FileHeader{Name: a.Name + suffix, Method: zip.Store,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		if err := Write(member, a.Data); err != nil {
			return fmt.Errorf("npz: %q: %w", a.Name, err)
		}
	}
	return z.Close()
}
