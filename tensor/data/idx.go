package data

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
)

// maxBytes bounds the elements of one dataset file.
const maxBytes = 1<<31 - 1

// idxTypes are the element types by the third byte of the file
// (yann.lecun.com/exdb/mnist, "The IDX file format").
var idxTypes = map[byte]dtype.DType{0x08: dtype.U8, 0x09: dtype.I8, 0x0b: dtype.I16,
	0x0c: dtype.I32, 0x0d: dtype.F32, 0x0e: dtype.F64}

// LoadIDX reads a file in the IDX format, through gzip if its name ends in .gz. Errors name the file; see [ReadIDX].
func LoadIDX(path string) (*buf.Buffer, error) {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	b, err := ReadIDX(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// ReadIDX reads the IDX format of MNIST: two zero bytes, the element type, the
// number of dimensions, their extents and the elements, all big-endian. Type and shape of the result are the file's.
// Errors are another header, an extent of 0, more bytes than a dataset may have, and an input that ends before the last
// element.
func ReadIDX(r io.Reader) (*buf.Buffer, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("idx: header: %w", err)
	}
	d, ok := idxTypes[head[2]]
	if head[0] != 0 || head[1] != 0 || !ok {
		return nil, fmt.Errorf("idx: %x is no IDX header", head)
	}
	extents := make([]uint32, head[3])
	if err := binary.Read(r, binary.BigEndian, extents); err != nil {
		return nil, fmt.Errorf("idx: extents: %w", err)
	}
	size := uint64(d.Size())
	shape := make([]int, len(extents))
	for i, n := range extents {
		shape[i] = int(n)
		if n == 0 {
			return nil, fmt.Errorf("idx: dimension %d is empty", i)
		}
		if size *= uint64(n); size > maxBytes {
			return nil, fmt.Errorf("idx: %d are too many", extents)
		}
	}
	data, err := readExactly(r, int(size))
	if err != nil {
		return nil, fmt.Errorf("idx: elements of %d: %w", shape, err)
	}
	buf.SwapBytes(data, d)
	b := buf.New(d, shape)
	copy(b.Bytes(), data)
	return b, nil
}

// readExactly reads n bytes, after which r must end. Memory grows with what comes.
func readExactly(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	got, err := io.Copy(&b, io.LimitReader(r, int64(n)+1))
	switch {
	case err != nil:
		return nil, err
	case got < int64(n):
		return nil, fmt.Errorf("%d bytes of %d: %w", got, n, io.ErrUnexpectedEOF)
	case got > int64(n):
		return nil, fmt.Errorf("more than the %d bytes that there should be", n)
	}
	return b.Bytes(), nil
}
