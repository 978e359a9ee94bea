package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// headerAlignment is what the length of everything before the data is a multiple of, in bytes.
const headerAlignment = 64

// WriteFile writes b to the file at path, which it creates or replaces whole. Errors are those of [Write] and of the
// file; the old file then stays.
func WriteFile(path string, b *buf.Buffer) error {
	return atomicfile.Write(path, func(w io.Writer) error { return Write(w, b) })
}

// Has reports whether the format has an element type.
func Has(d dtype.DType) bool { return int(d) < len(descriptors) && descriptors[d] != "" }

// Write writes b as one array. A type that NumPy does not have, such as bf16, is an error; see [Has].
func Write(w io.Writer, b *buf.Buffer) error {
	if !Has(b.DType) {
		return fmt.Errorf("npy: the format has no %s: convert the tensor to f32", b.DType.Torch())
	}
	if _, err := w.Write(encodeHeader(b)); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func encodeHeader(b *buf.Buffer) []byte {
	var dims strings.Builder
	for i, n := range b.Shape {
		if i > 0 {
			dims.WriteByte(' ')
		}
		dims.WriteString(strconv.Itoa(n))
		if i == 0 || i < len(b.Shape)-1 { // one extent: "(3,)"; several: "(3, 4)"
			dims.WriteByte(',')
		}
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
		descriptors[b.DType], dims.String())
	const fixed = len(magic) + 2 + 2 // signature, version, length
	padding := (headerAlignment - (fixed+len(text)+1)%headerAlignment) % headerAlignment
	var out bytes.Buffer
	out.WriteString(magic + "\x01\x00")
	out.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(text)+padding+1)))
	out.WriteString(text + strings.Repeat(" ", padding) + "\n")
	return out.Bytes()
}
