package torchscript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// Views that are not a storage as it is are copied, and a small file can describe many large
// ones. Their sum is bounded by a multiple of the archive's size and a constant, in bytes.
const (
	maxCopies     = 4
	maxCopiesBase = 64 << 20
)

// storage is the memory that tensors are views of.
type storage struct {
	dtype     dtype.DType // Invalid if the storage is untyped
	quantized bool        // its elements are integers that stand for numbers
	data      []byte
}

// storageTypes are the classes that PyTorch names in storage references.
var storageTypes = map[string]dtype.DType{
	"FloatStorage": dtype.F32, "DoubleStorage": dtype.F64, "HalfStorage": dtype.F16,
	"BFloat16Storage": dtype.BF16, "LongStorage": dtype.I64, "IntStorage": dtype.I32,
	"QInt8Storage": dtype.I8, "QUInt8Storage": dtype.U8, "QInt32Storage": dtype.I32,
	"UInt16Storage": dtype.U16, "UInt32Storage": dtype.U32, "UInt64Storage": dtype.U64,
	"ShortStorage": dtype.I16, "CharStorage": dtype.I8, "ByteStorage": dtype.U8,
	"BoolStorage": dtype.Bool, "ComplexFloatStorage": dtype.C64,
	"ComplexDoubleStorage": dtype.C128, "UntypedStorage": dtype.Invalid,
}

func init() { // storages of floats of 8 bits have the names of the types, as Float8_e5m2Storage
	for _, d := range dtype.All() {
		if d.IsFloat8() {
			storageTypes["F"+d.Torch()[1:]+"Storage"] = d
		}
	}
}

// storages loads the storages of one pickle, each once.
type storages struct {
	archive   *archive
	folder    string // "data" or "constants"
	bigEndian bool
	loaded    map[string]*storage
	copies    *int // bytes that may still be allocated for copies of views
}

// get returns the storage that a persistent id refers to:
// ('storage', class, key, device, number of elements).
func (s *storages) get(ref *pickle.Reference) (*storage, error) {
	id, ok := ref.ID.(*pickle.Tuple)
	if !ok || len(id.Items) < 5 || id.Items[0] != pickle.Value("storage") {
		return nil, errors.New("a persistent id does not name a storage")
	}
	class, ok1 := id.Items[1].(*pickle.Global)
	key, ok2 := id.Items[2].(string)
	elements, ok3 := id.Items[4].(int64)
	if !ok1 || !ok2 || !ok3 || elements < 0 {
		return nil, errors.New("a reference to a storage is malformed")
	}
	if done := s.loaded[key]; done != nil {
		return done, nil
	}
	d, known := storageTypes[class.Name]
	if !known && class.Name == "ComplexHalfStorage" {
		return nil, errComplexHalf
	}
	if !known {
		return nil, fmt.Errorf("tensors in a %s are not supported", class)
	}
	loaded, err := s.load(s.folder+"/"+key, d, uint64(elements))
	if err != nil {
		return nil, err
	}
	loaded.quantized = strings.HasPrefix(class.Name, "Q")
	s.loaded[key] = loaded
	return loaded, nil
}

func (s *storages) load(name string, d dtype.DType, elements uint64) (*storage, error) {
	f := s.archive.members[name]
	if f == nil {
		return nil, fmt.Errorf("%s: the archive has no such member", name)
	}
	width := uint64(max(d.Size(), 1)) // the size of an untyped storage is in bytes
	if have := f.UncompressedSize64; elements > have/width {
		return nil, fmt.Errorf("%s: byte %d: a storage of %d elements of %d bytes is truncated",
			name, have, elements, width)
	}
	data := buf.Aligned(int(f.UncompressedSize64))
	if err := s.archive.readInto(name, data); err != nil {
		return nil, err
	}
	if s.bigEndian {
		if d == dtype.Invalid {
			return nil, fmt.Errorf("%s: an untyped storage in big-endian order is not supported", name)
		}
		buf.SwapBytes(data, d)
	}
	return &storage{dtype: d, data: data}, nil
}

// view returns the elements of a strided view as a row-major buffer. Offset and strides are in
// elements. A view from the start shares the storage's memory.
func (l *storages) view(s *storage, d dtype.DType, offset int,
	dims, strides []int) (*buf.Buffer, error) {
	if err := shape.Check(dims); err != nil {
		return nil, err
	}
	width := d.Size()
	have := len(s.data) / width
	count := shape.Size(dims)
	if count == 0 {
		return buf.New(d, dims), nil
	}
	last := offset
	for i, n := range dims {
		if n == 1 {
			continue
		}
		if strides[i] < 0 || strides[i] > have {
			return nil, fmt.Errorf("a tensor %s has a stride of %d in a storage of %d elements",
				shape.String(dims), strides[i], have)
		}
		if last += (n - 1) * strides[i]; last > have {
			break // before it can overflow
		}
	}
	if offset < 0 || last < 0 || last >= have {
		return nil, fmt.Errorf("a tensor %s reaches beyond its storage of %d elements",
			shape.String(dims), have)
	}
	if offset == 0 && isRowMajor(dims, strides) {
		return buf.Wrap(d, dims, s.data[:count*width])
	}
	if *l.copies -= count * width; *l.copies < 0 {
		return nil, fmt.Errorf("a tensor %s is one copy too many of elements that the file has once",
			shape.String(dims))
	}
	return buf.Gather(d, dims, s.data[offset*width:], strides), nil
}

// isRowMajor reports whether strides are the strides of a contiguous tensor.
func isRowMajor(dims, strides []int) bool {
	want := 1
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i] != 1 && strides[i] != want {
			return false
		}
		want *= dims[i]
	}
	return true
}
