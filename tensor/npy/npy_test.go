package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// file builds an .npy file of the given version.
func file(version byte, header string, data []byte) []byte {
	out := append([]byte(magic), version, 0)
	if version == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	}
	return append(append(out, header...), data...)
}

func describe(descr string, fortran bool, shape string) string {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
}

func TestRoundTrip(t *testing.T) {
	for _, d := range dtype.All() {
		if d == dtype.BF16 || d.IsFloat8() {
			continue
		}
		for _, dims := range [][]int{{}, {0}, {1}, {7}, {2, 3}, {4, 0, 5}, {2, 3, 4, 5}} {
			b := buf.New(d, dims)
			for i := range b.Len() {
				b.SetFloat64(i, float64(i%2))
			}
			var out bytes.Buffer
			require.NoError(t, Write(&out, b))
			assert.Zero(t, (out.Len()-len(b.Bytes()))%headerAlignment, "%v %v", d, dims)
			back, err := Read(bytes.NewReader(append(out.Bytes(), "tail"...)))
			require.NoError(t, err, "%v %v", d, dims)
			assert.Equal(t, d, back.DType)
			assert.Equal(t, dims, back.Shape)
			assert.Equal(t, b.Bytes(), back.Bytes())
		}
	}
}

// TestShapesAreTuples: the shape is a tuple of Python, as numpy.save writes it, and one extent has a comma behind it.
func TestShapesAreTuples(t *testing.T) {
	for want, dims := range map[string][]int{"'shape': (), ": {}, "'shape': (3,), ": {3}, "'shape': (3, 4), ": {3, 4}} {
		require.Contains(t, string(encodeHeader(buf.New(dtype.F32, dims))), want)
	}
}

// The first bytes that numpy.save writes for numpy.zeros((2, 3), 'f4').
func TestHeaderIsNumPys(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Write(&out, buf.New(dtype.F32, []int{2, 3})))
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
		strings.Repeat(" ", 58) + "\n"
	assert.Equal(t, want, out.String()[:128])
}

func TestVersionsOrdersAndEndianness(t *testing.T) {
	for version := byte(1); version <= 3; version++ {
		for _, fortran := range []bool{false, true} {
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				descr := "<i4"
				if order == binary.BigEndian {
					descr = ">i4"
				}
				var data []byte
				for i := range 24 { // element (i, j, k) of 2 × 3 × 4 is 12 i + 4 j + k
					n := i
					if fortran {
						n = 12*(i%2) + 4*(i/2%3) + i/6
					}
					data = order.AppendUint32(data, uint32(n))
				}
				b, err := Read(bytes.NewReader(file(version, describe(descr, fortran, "(2, 3, 4)"), data)))
				require.NoError(t, err)
				for i, v := range buf.Slice[int32](b) {
					assert.EqualValues(t, i, v, "version %d, %s, fortran %v", version, descr, fortran)
				}
			}
		}
	}
}

func TestBigEndianComplexAndHalf(t *testing.T) {
	data := binary.BigEndian.AppendUint32(nil, math.Float32bits(1.5))
	data = binary.BigEndian.AppendUint32(data, math.Float32bits(-2))
	b, err := Read(bytes.NewReader(file(1, describe(">c8", false, "()"), data)))
	require.NoError(t, err)
	assert.Equal(t, complex(1.5, -2), b.Complex(0))

	b, err = Read(bytes.NewReader(file(1, describe(">f2", false, "(1,)"), []byte{0x3c, 0})))
	require.NoError(t, err)
	assert.Equal(t, 1.0, b.Float64(0))
}

func TestTruthValuesAreZeroOrOne(t *testing.T) {
	b, err := Read(bytes.NewReader(file(1, describe("|b1", false, "(3,)"), []byte{0, 1, 255})))
	require.NoError(t, err)
	assert.Equal(t, []byte{0, 1, 1}, b.Bytes())
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", "npy: byte 0: the file ends inside of its signature: EOF"},
		{"PK\x03\x04 a zip", `npy: byte 0: not an .npy file: it starts with "PK\x03\x04 a" instead of "\x93NUMPY"`},
		{magic + "\x04\x00", "npy: byte 6: format version 4 is not one of 1, 2, 3"},
		{magic + "\x01\x01", "npy: byte 7: format version 1.1 is not one of 1.0, 2.0, 3.0"},
		{string(file(1, describe("<f4", false, "(6)"), make([]byte, 24))), "npy: byte 62: the header's syntax is wrong: a tuple of one extent has a comma behind it"},
		{string(file(1, describe("<f4", false, "(010,)"), make([]byte, 40))), "npy: byte 61: the header's syntax is wrong: an extent expected"},
		{magic + "\x02\x00\xff\xff\xff\xff", "npy: byte 8: a header of 4294967295 bytes exceeds the limit of 65536"},
		{magic + "\x01\x00\x08\x00{", "npy: byte 11: the file ends inside of its header: unexpected EOF"},
		{string(file(1, "{'descr': '<f4'}", nil)), `npy: byte 10: the header has no "fortran_order"`},
		{string(file(1, "{'x': 1}", nil)), `npy: byte 15: "x" is not a key of an .npy header`},
		{string(file(1, "{'descr' '<f4'}", nil)), `npy: byte 19: the header's syntax is wrong: ":" expected`},
		{string(file(1, describe("<u3", false, "(1,)"), nil)), `npy: byte 20: element type "<u3" is not supported`},
		{string(file(1, describe("<V2", false, "(1,)"), nil)), `npy: byte 20: element type "<V2" is untyped, perhaps bfloat16: save the array as f32`},
		{string(file(1, "{'descr': [('a', '<f4')]}", nil)), "npy: byte 20: arrays of records are not supported"},
		{string(file(1, describe("<f4", false, "(-1,)"), nil)), "npy: byte 61: the header's syntax is wrong: an extent expected"},
		{string(file(1, describe("<f4", false, "(99999999999, 99999999999)"), nil)), "npy: byte 10: tensor is too large: [99999999999 99999999999]"},
		{string(file(1, describe("<f4", false, "(2, 3)"), make([]byte, 23))), "npy: byte 93: an array of [2 3] f32 needs 24 bytes, the file ends after 23: unexpected EOF"},
		// A terabyte is promised; only what arrives is kept.
		{string(file(1, describe("<f4", false, "(1000, 262)"), []byte("abcd"))), "npy: byte 79: an array of [1000 262] f32 needs 1048000 bytes, the file ends after 4: unexpected EOF"},
	} {
		_, err := Read(strings.NewReader(c.file))
		assert.EqualError(t, err, c.want)
	}
	err := Write(&bytes.Buffer{}, buf.New(dtype.BF16, []int{1}))
	assert.EqualError(t, err, "npy: the format has no bfloat16: convert the tensor to f32")
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	_, err := ReadFile(path)
	assert.EqualError(t, err, "open "+path+": no such file or directory")

	require.NoError(t, WriteFile(path, buf.From([]float32{1, 2, 3}, 3)))
	b, err := ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, []float32{1, 2, 3}, buf.Slice[float32](b))

	require.NoError(t, os.Truncate(path, 136))
	_, err = ReadFile(path)
	assert.EqualError(t, err, path+": npy: byte 128: an array of [3] f32 needs 12 bytes, 8 are left")
}

func FuzzRead(f *testing.F) {
	f.Add(file(1, describe("<f4", false, "(2, 3)"), make([]byte, 24)))
	f.Add(file(2, describe(">c8", true, "(2, 3,)"), make([]byte, 48)))
	f.Add(file(3, describe("|b1", true, "()"), []byte{2}))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read(bytes.NewReader(data))
		if err != nil || b.DType == dtype.BF16 || b.DType.IsFloat8() {
			return
		}
		if len(b.Bytes()) > len(data) {
			t.Fatalf("%d bytes of data out of %d", len(b.Bytes()), len(data))
		}
		var out bytes.Buffer
		if err := Write(&out, b); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&out)
		if err != nil || !bytes.Equal(b.Bytes(), back.Bytes()) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

func Example() {
	var file bytes.Buffer
	if err := Write(&file, buf.From([]int64{1, 2, 3, 4, 5, 6}, 2, 3)); err != nil {
		panic(err)
	}
	b, err := Read(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(b.DType, b.Shape, buf.Slice[int64](b))
	// Output: i64 [2 3] [1 2 3 4 5 6]
}

// TestUnsigned reads unsigned integers of both orders of bytes.
func TestUnsigned(t *testing.T) {
	for descriptor, want := range map[string]dtype.DType{"<u2": dtype.U16, ">u4": dtype.U32, "<u8": dtype.U64} {
		b, err := Read(bytes.NewReader(file(1, describe(descriptor, false, "(1,)"), bytes.Repeat([]byte{0xff}, 8))))
		require.NoError(t, err)
		require.Equal(t, want, b.DType)
		require.Equal(t, math.Ldexp(1, want.Bits())-1, b.Float64(0))
	}
}
