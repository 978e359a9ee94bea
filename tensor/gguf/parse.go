package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-acap/acap/base/shape"
)

const (
	magic      = "GGUF"
	leastBytes = 24 // of the fixed part
	// mostEntries bounds the tensors of a file, and the entries of its metadata.
	mostEntries = 1 << 16
	// mostName bounds a name, and mostText a text that is kept: templates of chats are long.
	mostName = 1 << 16
	mostText = 1 << 20
	// mostNesting bounds lists of lists.
	mostNesting = 4
	mostRank    = 4

	templateKey      = "tokenizer.chat_template"
	alignmentKey     = "general.alignment"
	defaultAlignment = 32
	mostAlignment    = 1 << 16
)

var errEnds = errors.New("the file ends early: it is damaged, or not all there")

// reader reads the numbers of a file in order. After an error it gives zeros.
type reader struct {
	data []byte
	at   int
	last list // that was read
	err  error
}

func (r *reader) take(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.data)-r.at) {
		if r.err == nil {
			r.err = errEnds
		}
		return nil
	}
	part := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return part
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text reads a name.
func (r *reader) text() string {
	n := r.u64()
	if n > mostName && r.err == nil {
		r.err = fmt.Errorf("a text of %d bytes; there may be %d", n, mostName)
	}
	return string(r.take(n))
}

// The types of metadata.
const (
	typeBool   = 7
	typeString = 8
	typeArray  = 9
)

// sizes are the bytes of metadata by type; 0 is of no fixed size.
var sizes = [13]uint64{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8}

// value reads an entry of the metadata. Lists and long texts are skipped and give nil; last is the list.
func (r *reader) value(kind uint32, depth int) any {
	switch {
	case kind >= uint32(len(sizes)):
		r.fail("no metadata has type %d", kind)
		return nil
	case kind == typeString:
		text := r.take(r.u64())
		if len(text) > mostText {
			return nil
		}
		return string(text)
	case kind == typeArray:
		r.last = r.list(depth)
		return nil
	}
	b := r.take(sizes[kind])
	if b == nil {
		return nil
	}
	var wide [8]byte
	copy(wide[:], b)
	bits := binary.LittleEndian.Uint64(wide[:])
	switch kind {
	case 1:
		return int64(int8(bits))
	case 3:
		return int64(int16(bits))
	case 5:
		return int64(int32(bits))
	case 11:
		return int64(bits)
	case 6:
		return float64(math.Float32frombits(uint32(bits)))
	case 12:
		return math.Float64frombits(bits)
	case typeBool:
		return bits != 0
	}
	return bits
}

// list skips a list, and returns where it is.
func (r *reader) list(depth int) list {
	kind, n := r.u32(), r.u64()
	l, start := list{kind: kind, count: n}, r.at
	switch {
	case kind >= uint32(len(sizes)):
		r.fail("no metadata has type %d", kind)
	case depth == mostNesting:
		r.fail("lists are nested more than %d deep", mostNesting)
	case sizes[kind] > 0:
		if n > uint64(len(r.data)) {
			n = uint64(len(r.data)) // more than is left, and no overflow
		}
		r.take(n * sizes[kind])
	default:
		for ; n > 0 && r.err == nil; n-- {
			if kind == typeString {
				r.take(r.u64())
			} else {
				r.list(depth + 1)
			}
		}
	}
	if r.err == nil {
		l.data = r.data[start:r.at:r.at]
	}
	return l
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// parse reads all but the elements.
func (f *File) parse(r *reader) error {
	if len(r.data) == 0 {
		return errors.New("the file is empty")
	}
	if start := string(r.data[:min(len(magic), len(r.data))]); start != magic[:len(start)] {
		return fmt.Errorf("it does not start with %q, but with %q", magic, start)
	}
	r.take(4)
	if version := r.u32(); r.err == nil && version != 2 && version != 3 {
		return fmt.Errorf("version %d is not supported; there are 2 and 3, with the lowest byte first", version)
	}
	tensors, entries := r.u64(), r.u64()
	if r.err != nil {
		return r.err
	}
	if tensors > mostEntries || entries > mostEntries {
		return fmt.Errorf("%d tensors and %d entries of metadata; there may be %d", tensors, entries, mostEntries)
	}
	alignment := uint64(defaultAlignment)
	for range entries {
		key := r.text()
		if f.Has(key) {
			return fmt.Errorf("two entries are named %.100q", key)
		}
		r.last = list{}
		kind := r.u32()
		v := r.value(kind, 0)
		if r.err == nil {
			r.err = checkEntry(key, kind, r.last)
		}
		if r.err != nil {
			return r.err
		}
		if key == templateKey && v == nil {
			return fmt.Errorf("%s has more than %d bytes", key, mostText)
		}
		if v != nil {
			f.Metadata[key] = v
		} else {
			f.lists[key] = r.last
		}
		if n, ok := v.(uint64); ok && key == alignmentKey {
			alignment = n
		}
	}
	if alignment == 0 || alignment > mostAlignment || alignment&(alignment-1) != 0 {
		return fmt.Errorf("an alignment of %d", alignment)
	}
	for range tensors {
		if err := f.info(r); err != nil {
			return err
		}
	}
	first := (int64(r.at) + int64(alignment) - 1) / int64(alignment) * int64(alignment)
	return f.arrange(first, int64(len(r.data)), int64(alignment))
}

// info reads what the file says of a tensor.
func (f *File) info(r *reader) error {
	info := Info{Name: r.text()}
	rank := r.u32()
	if rank > mostRank && r.err == nil {
		return fmt.Errorf("tensor %q has %d dimensions", info.Name, rank)
	}
	info.Shape = make([]int, min(rank, mostRank))
	for i := range info.Shape {
		n := r.u64()
		if n > math.MaxInt32 {
			return fmt.Errorf("tensor %q has an extent of %d", info.Name, n)
		}
		info.Shape[len(info.Shape)-1-i] = int(n)
	}
	number, offset := r.u32(), r.u64()
	if r.err != nil {
		return r.err
	}
	k, known := kinds[number]
	switch {
	case !known:
		return fmt.Errorf("tensor %q: elements of type %d are not supported", info.Name, number)
	case offset > math.MaxInt64/2:
		return fmt.Errorf("tensor %q begins at %d", info.Name, offset)
	}
	if _, twice := f.index[info.Name]; twice {
		return fmt.Errorf("two tensors are named %q", info.Name)
	}
	if err := shape.Check(info.Shape); err != nil {
		return fmt.Errorf("tensor %q: %w", info.Name, err)
	}
	row := 1
	if rank > 0 {
		row = info.Shape[rank-1]
	}
	elements, bytes := k.block()
	if row%elements != 0 {
		return fmt.Errorf("tensor %q: rows of %d are not whole blocks of %d", info.Name, row, elements)
	}
	info.kind, info.Type, info.DType, info.offset = k, k.name, k.dtype, int64(offset)
	info.Bytes = int64(shape.Size(info.Shape) / elements * bytes)
	f.index[info.Name] = len(f.infos)
	f.infos = append(f.infos, info)
	return nil
}

// arrange checks that tensors lie inside of the file, behind first, and apart.
func (f *File) arrange(first, end, alignment int64) error {
	order := make([]*Info, len(f.infos))
	for i := range f.infos {
		order[i] = &f.infos[i]
	}
	slices.SortStableFunc(order, func(a, b *Info) int {
		if a.offset != b.offset {
			return int(min(max(a.offset-b.offset, -1), 1))
		}
		return int(min(max(a.Bytes-b.Bytes, -1), 1))
	})
	at := int64(0)
	for _, info := range order {
		switch {
		case info.offset%alignment != 0:
			return fmt.Errorf("tensor %q begins at %d, which is no multiple of %d", info.Name, info.offset, alignment)
		case info.offset < at:
			return fmt.Errorf("tensor %q begins at %d, inside of another", info.Name, info.offset)
		case info.Bytes < 0 || info.offset > end-first || info.Bytes > end-first-info.offset:
			return fmt.Errorf("tensor %q of %d bytes at %d does not lie in the file of %d bytes: it is damaged, or not all there", info.Name, info.Bytes, first+info.offset, end)
		}
		at = info.offset + info.Bytes
	}
	for i := range f.infos {
		info := &f.infos[i]
		at := first + info.offset
		info.data, info.source = f.data[at:at+info.Bytes:at+info.Bytes], io.NewSectionReader(f.source, at, info.Bytes)
	}
	return nil
}
