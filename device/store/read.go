package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
)

// The faults of a file.
var (
	errFormat   = errors.New("not an entry of this format")
	errShort    = errors.New("cut short or too long")
	errLarge    = errors.New("larger than entries may be")
	errChecksum = errors.New("the checksum is wrong")
)

// read reads and checks a file, which is no link, pipe or device. The payload is memory of its own, which is aligned as
// [buf.Lasting] says.
func (s *Store) read(path string) (*Entry, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	e := &Entry{File: filepath.Base(path), Bytes: info.Size(), Used: info.ModTime()}
	if !info.Mode().IsRegular() {
		return e, errFormat
	}
	f, size, err := inputfile.Open(path)
	if err != nil {
		return e, err
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) || size != e.Bytes {
		return e, errFormat // another file has taken the name
	}
	head, names, payload, err := readHeader(bufio.NewReader(f))
	if err != nil {
		return e, err
	}
	if payload > uint64(e.Bytes) || int64(len(head))+int64(payload)+sha256.Size != e.Bytes {
		return e, errShort
	}
	if !s.Takes(int(payload)) || buf.CheckBytes(int64(payload), "an entry of the cache") != nil {
		return e, errLarge
	}
	data := buf.Lasting(int(payload))
	sum, err := digest(data, func(part []byte, at int) error {
		buf.Populate(part)
		_, err := f.ReadAt(part, int64(len(head)+at))
		return err
	})
	if err != nil {
		return e, errShort
	}
	last := make([]byte, sha256.Size)
	if _, err := f.ReadAt(last, e.Bytes-sha256.Size); err != nil {
		return e, errShort
	}
	if !bytes.Equal(last, checksum(head, sum)) {
		return e, errChecksum
	}
	e.Version, e.Kind, e.Key, e.Title, e.payload = names[0], names[1], names[2], names[3], data
	return e, nil
}

// readHeader reads what an entry has before its payload: version, kind, key and title, and the payload's length.
func readHeader(r io.Reader) (head []byte, names [4]string, payload uint64, err error) {
	next := func(n uint64) ([]byte, error) {
		if n > mostKey {
			return nil, errShort
		}
		at := len(head)
		head = append(head, make([]byte, n)...)
		if _, err := io.ReadFull(r, head[at:]); err != nil {
			return nil, errShort
		}
		return head[at:], nil
	}
	if first, err := next(uint64(len(magic))); err != nil || string(first) != magic {
		return nil, names, 0, errFormat
	}
	number := func() (uint64, error) {
		b, err := next(8)
		if err != nil {
			return 0, err
		}
		return binary.LittleEndian.Uint64(b), nil
	}
	for i := range names {
		n, err := number()
		if err != nil {
			return nil, names, 0, err
		}
		name, err := next(n)
		if err != nil {
			return nil, names, 0, err
		}
		names[i] = string(name)
	}
	if payload, err = number(); err == nil {
		_, err = next(uint64(-len(head) & (payloadAlignment - 1)))
	}
	return head, names, payload, err
}
