package artifact

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/jsontext"
)

const (
	magic      = "ACAP artifact 1\n"
	alignment  = buf.Alignment
	mostHeader = 3 << 20
	// mostObjects bounds the sections and groups together.
	mostObjects = 1 << 16
	// fixed is the part before the header: the magic, the header's length and its checksum.
	fixed = len(magic) + 8
)

// ErrMalformed is the error of a file that is no artifact, or a damaged one.
var ErrMalformed = errors.New("not a sound artifact")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrMalformed}, args...)...)
}

// header is the facts that a file gives of itself.
type header struct {
	Info
	Sections []Section `json:"sections"`
	Blobs    []int     `json:"blobs"` // the section of each byte string of the module and the plan
}

// Section is a part of a file.
type Section struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	CRC    uint32 `json:"crc"`
}

var table = crc32.MakeTable(crc32.Castagnoli)

// section is a part that is to be written.
type section struct {
	name string
	data []byte
}

// write writes a file. The offsets in the header depend on its length, which depends on the offsets:
// it is made with room.
func write(w io.Writer, h *header, sections []section) error {
	h.Sections = nil
	for _, s := range sections {
		h.Sections = append(h.Sections, Section{Name: s.name, Bytes: int64(len(s.data)), CRC: crc32.Checksum(s.data, table)})
	}
	const digits = 16 // of an offset, more than any has
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	room := len(text) + digits*len(sections)
	at := roundUp(int64(fixed + room))
	for i := range h.Sections {
		h.Sections[i].Offset = at
		at = roundUp(at + h.Sections[i].Bytes)
	}
	if text, err = json.Marshal(h); err != nil {
		return err
	}
	if len(text) > mostHeader || bytes.Count(text, []byte("{")) > mostObjects {
		return fmt.Errorf("the header has %d bytes", len(text))
	}
	start := append([]byte(magic), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(start[len(magic):], uint32(len(text)))
	binary.LittleEndian.PutUint32(start[len(magic)+4:], crc32.Checksum(text, table))
	written := int64(0)
	put := func(data []byte) error {
		n, err := w.Write(data)
		written += int64(n)
		return err
	}
	if err := errors.Join(put(start), put(text)); err != nil {
		return err
	}
	for i, s := range sections {
		if err := put(make([]byte, h.Sections[i].Offset-written)); err != nil {
			return err
		}
		if err := put(s.data); err != nil {
			return err
		}
	}
	return nil
}

func roundUp(n int64) int64 { return (n + alignment - 1) / alignment * alignment }

// readHeader reads the header of a file of a size and checks where the sections lie.
func readHeader(r io.ReaderAt, size int64) (*header, error) {
	start := make([]byte, fixed)
	if _, err := r.ReadAt(start, 0); err != nil || string(start[:len(magic)]) != magic {
		return nil, malformed("it does not start with %q, as what acap compile writes does", magic)
	}
	n := int64(binary.LittleEndian.Uint32(start[len(magic):]))
	if n > mostHeader || int64(fixed)+n > size {
		return nil, malformed("a header of %d bytes in a file of %d", n, size)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, int64(fixed)); err != nil {
		return nil, malformed("the header: %v", err)
	}
	if crc32.Checksum(text, table) != binary.LittleEndian.Uint32(start[len(magic)+4:]) {
		return nil, malformed("the checksum of the header is wrong")
	}
	if n := bytes.Count(text, []byte("{")); n > mostObjects {
		return nil, malformed("a header of %d objects", n)
	}
	h := &header{}
	if err := jsontext.Unmarshal(text, h); err != nil {
		return nil, malformed("the header: %v", err)
	}
	end := int64(fixed) + n
	for i, s := range h.Sections {
		switch {
		case s.Offset%alignment != 0 || s.Offset < end:
			return nil, malformed("section %q begins at %d, before the end of the section before it, or is not aligned", s.Name, s.Offset)
		case s.Bytes < 0 || s.Bytes > size-s.Offset:
			return nil, malformed("section %q of %d bytes at %d in a file of %d", s.Name, s.Bytes, s.Offset, size)
		case i == 0 && s.Offset-end > 1<<20 || i > 0 && s.Offset-end >= alignment:
			return nil, malformed("a gap before section %q", s.Name)
		}
		end = s.Offset + s.Bytes
	}
	if end != size {
		return nil, malformed("it ends at %d and has %d bytes", end, size)
	}
	for i, k := range h.Blobs {
		if k < 0 || k >= len(h.Sections) {
			return nil, malformed("byte string %d is section %d of %d", i, k, len(h.Sections))
		}
	}
	return h, nil
}

// verify compares the checksums of all sections, on all processors. It reads the file instead of the
// mapping, so that what no run needs takes no memory.
func verify(f *os.File, h *header) error {
	var next atomic.Int64
	workers := min(runtime.GOMAXPROCS(0), len(h.Sections))
	failed := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			piece := make([]byte, 128<<10) // little, and it stays in the cache
			for failed[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(h.Sections) {
					return
				}
				failed[w] = h.Sections[i].verify(f, piece)
			}
		}()
	}
	wait.Wait()
	return errors.Join(failed...)
}

func (s *Section) verify(f *os.File, piece []byte) error {
	sum := uint32(0)
	for at := int64(0); at < s.Bytes; at += int64(len(piece)) {
		part := piece[:min(int64(len(piece)), s.Bytes-at)]
		if _, err := f.ReadAt(part, s.Offset+at); err != nil {
			return malformed("section %q: %v", s.Name, err)
		}
		sum = crc32.Update(sum, table, part)
	}
	if sum != s.CRC {
		return malformed("the checksum of section %q is wrong", s.Name)
	}
	return nil
}
