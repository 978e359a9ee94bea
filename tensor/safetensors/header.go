package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/base/shape"
)

const (
	// maxHeader bounds the header in bytes. The format allows 100 MB; headers of the largest models have less than one.
	maxHeader = 16 << 20
	// maxEntries bounds the tensors of a file, and the texts beside them.
	maxEntries = 1 << 15
	// maxRank bounds the dimensions of a tensor.
	maxRank = 64
	// metadataKey is the entry of the header that is no tensor.
	metadataKey = "__metadata__"
)

// Info is the header's entry for a tensor.
type Info struct {
	Name  string
	Type  string      // of the elements in the file, such as "F32" or "U16"
	DType dtype.DType // that they are read as; invalid for a type that is not supported
	Shape []int
	Bytes int64 // in the file

	offset int64 // from the start of the file
}

// header is a parsed header.
type header struct {
	infos    []Info // in the order of their places
	index    map[string]int
	metadata map[string]string
}

// parseHeader reads and checks the header in the first bytes of a file of the given size. read
// returns bytes of the file.
func parseHeader(size int64, read func(offset, length int64) ([]byte, error)) (*header, error) {
	if size < 8 {
		return nil, fmt.Errorf("byte 0: %d bytes are no safetensors file", size)
	}
	start, err := read(0, 8)
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(start)
	if length > maxHeader || length > uint64(size-8) {
		return nil, fmt.Errorf("byte 0: a header of %d bytes; there may be %d, and %d are left", length,
			maxHeader, size-8)
	}
	text, err := read(8, int64(length))
	if err != nil {
		return nil, err
	}
	h := &header{index: map[string]int{}, metadata: map[string]string{}}
	d := &decoder{json: json.NewDecoder(bytes.NewReader(text)), first: 8 + int64(length)}
	if err := d.object(func(name string) error { return h.entry(d, name) }); err != nil {
		return nil, fmt.Errorf("byte %d: header: %w", 8+d.json.InputOffset(), err)
	}
	if len(bytes.TrimSpace(text[d.json.InputOffset():])) > 0 {
		return nil, fmt.Errorf("byte %d: header: something follows the object", 8+d.json.InputOffset())
	}
	if err := jsontext.Characters(text); err != nil {
		return nil, fmt.Errorf("the header, which begins at byte 8: %w", err)
	}
	return h, h.arrange(8+int64(length), size)
}

// entry reads an entry of the header.
func (h *header) entry(d *decoder, name string) error {
	if name == metadataKey {
		return d.object(func(key string) error {
			text, err := d.text()
			if h.metadata[key] = text; len(h.metadata) > maxEntries {
				return fmt.Errorf("more than %d texts", maxEntries)
			}
			return err
		})
	}
	if _, twice := h.index[name]; twice {
		return fmt.Errorf("two tensors are named %q", name)
	}
	if len(h.infos) == maxEntries {
		return fmt.Errorf("more than %d tensors", maxEntries)
	}
	info := Info{Name: name}
	var place []int64
	err := d.object(func(key string) (err error) {
		switch key {
		case "dtype":
			info.Type, err = d.text()
		case "shape":
			var dims []int64
			dims, err = d.numbers(maxRank)
			info.Shape = make([]int, len(dims))
			for i, n := range dims {
				info.Shape[i] = int(n)
			}
		case "data_offsets":
			place, err = d.numbers(2)
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	if err := info.check(place, d.first); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	h.index[name] = len(h.infos)
	h.infos = append(h.infos, info)
	return nil
}

// check completes an info: its place is from and to in the elements, which begin at first.
func (i *Info) check(place []int64, first int64) error {
	d := dtype.FromSafetensors(i.Type)
	switch {
	case i.Type == "":
		return fmt.Errorf("it has no dtype")
	case i.Shape == nil:
		return fmt.Errorf("it has no shape")
	case len(place) != 2 || place[0] > place[1]:
		return fmt.Errorf("data_offsets %v are no place", place)
	}
	if err := shape.Check(i.Shape); err != nil {
		return err
	}
	i.DType, i.Bytes = d, place[1]-place[0]
	if have := int64(shape.Size(i.Shape) * d.Size()); d.Valid() && i.Bytes != have {
		return fmt.Errorf("%s of %s are %d bytes, data_offsets have %d", shape.String(i.Shape), i.Type,
			have, i.Bytes)
	}
	if i.offset = buf.AddBytes(first, place[0]); i.offset < 0 {
		return fmt.Errorf("data_offsets %v are no place", place)
	}
	return nil
}

// arrange sorts the tensors by their places, which must fill the file from first to end.
func (h *header) arrange(first, end int64) error {
	slices.SortStableFunc(h.infos, func(a, b Info) int {
		if a.offset != b.offset {
			return int(min(max(a.offset-b.offset, -1), 1))
		}
		return int(min(max(a.Bytes-b.Bytes, -1), 1))
	})
	at := first
	for i, info := range h.infos {
		h.index[info.Name] = i
		if info.offset != at {
			return fmt.Errorf("byte %d: tensor %q begins at byte %d: tensors must not overlap or leave gaps",
				at, info.Name, info.offset)
		}
		if info.Bytes > end-at {
			return fmt.Errorf("byte %d: tensor %q has %d bytes, %d are left", at, info.Name, info.Bytes, end-at)
		}
		at += info.Bytes
	}
	if at != end {
		return fmt.Errorf("byte %d: %d bytes belong to no tensor", at, end-at)
	}
	return nil
}
