package gguf_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/tensor/gguf"
)

var little = binary.LittleEndian

// stored is a tensor as a file has it: extents from the fastest one on.
type stored struct {
	name string
	ne   []uint64
	kind uint32
	data []byte
}

func text(b []byte, s string) []byte { return append(little.AppendUint64(b, uint64(len(s))), s...) }

// file writes a file with some metadata.
func file(tensors ...stored) []byte {
	b := []byte("GGUF")
	b = little.AppendUint32(b, 3)
	b = little.AppendUint64(b, uint64(len(tensors)))
	b = little.AppendUint64(b, 5)
	b = append(little.AppendUint32(text(b, "general.alignment"), 4), 64, 0, 0, 0)
	b = text(little.AppendUint32(text(b, "general.name"), 8), "small")
	b = append(little.AppendUint32(text(b, "x.flag"), 7), 1)
	b = little.AppendUint32(little.AppendUint32(text(b, "x.epsilon"), 6), math.Float32bits(0.5))
	b = little.AppendUint64(little.AppendUint32(little.AppendUint32(text(b, "tokens"), 9), 8), 2) // a list of texts
	b = text(text(b, "ab"), "c")
	at := uint64(0)
	for _, t := range tensors {
		b = little.AppendUint32(text(b, t.name), uint32(len(t.ne)))
		for _, n := range t.ne {
			b = little.AppendUint64(b, n)
		}
		b = little.AppendUint64(little.AppendUint32(b, t.kind), at)
		at = (at + uint64(len(t.data)) + 63) / 64 * 64
	}
	for _, t := range tensors {
		b = append(append(b, make([]byte, (64-len(b)%64)%64)...), t.data...)
	}
	return b
}

func half(v float32) []byte { return little.AppendUint16(nil, uint16(dtype.ToFloat16(v))) }

// quantized encodes 32 numbers to each type by a scale that is a power of two, so that it is exact.
func quantized(r *rand.Rand, kind uint32) (data []byte, want []float32) {
	d, least := float32(math.Ldexp(1, r.IntN(8)-4)), float32(r.IntN(9)-4)
	most := map[uint32]int{2: 16, 3: 16, 6: 32, 7: 32, 8: 256}[kind]
	q := make([]int, 32)
	for i := range q {
		q[i] = r.IntN(most)
		switch kind {
		case 3, 7:
			want = append(want, float32(q[i])*d+least)
		default:
			want = append(want, float32(q[i]-most/2)*d)
		}
	}
	data = half(d)
	if kind == 3 || kind == 7 {
		data = append(data, half(least)...)
	}
	if kind == 8 {
		for _, v := range q {
			data = append(data, byte(int8(v-128)))
		}
		return data, want
	}
	if most == 32 {
		high := uint32(0)
		for i, v := range q {
			high |= uint32(v>>4) << i
		}
		data = little.AppendUint32(data, high)
	}
	for i := range 16 {
		data = append(data, byte(q[i]&15|q[i+16]&15<<4))
	}
	return data, want
}

// large encodes 256 numbers to Q4_K, Q5_K or Q6_K.
func large(r *rand.Rand, kind uint32) (data []byte, want []float32) {
	d, least := float32(0.25), float32(0.5)
	bits := map[uint32]int{12: 4, 13: 5, 14: 6}[kind]
	q := make([]int, 256)
	for i := range q {
		q[i] = r.IntN(1 << bits)
	}
	if kind == 14 {
		low, high, scales := make([]byte, 128), make([]byte, 64), make([]byte, 16)
		for i := range scales {
			scales[i] = byte(int8(r.IntN(256) - 128))
		}
		for i, v := range q {
			n, l := i/128, i%32
			switch i % 128 / 32 { // as the format's own reader takes them apart
			case 0:
				low[n*64+l] |= byte(v & 15)
				high[n*32+l] |= byte(v >> 4)
			case 1:
				low[n*64+l+32] |= byte(v & 15)
				high[n*32+l] |= byte(v >> 4 << 2)
			case 2:
				low[n*64+l] |= byte(v & 15 << 4)
				high[n*32+l] |= byte(v >> 4 << 4)
			case 3:
				low[n*64+l+32] |= byte(v & 15 << 4)
				high[n*32+l] |= byte(v >> 4 << 6)
			}
			want = append(want, d*float32(int8(scales[i/16]))*float32(v-32))
		}
		return append(append(append(low, high...), scales...), half(d)...), want
	}
	var scale, offset [8]int
	packed := make([]byte, 12)
	for p := range 8 {
		scale[p], offset[p] = r.IntN(64), r.IntN(64)
		if p < 4 {
			packed[p] |= byte(scale[p])
			packed[p+4] |= byte(offset[p])
		} else {
			packed[p+4] = byte(scale[p]&15 | offset[p]&15<<4)
			packed[p-4] |= byte(scale[p] >> 4 << 6)
			packed[p] |= byte(offset[p] >> 4 << 6)
		}
	}
	high, numbers := make([]byte, 32), make([]byte, 128)
	for i, v := range q {
		p, l := i/32, i%32
		numbers[p/2*32+l] |= byte(v & 15 << (p % 2 * 4))
		high[l] |= byte(v >> 4 << p)
		want = append(want, d*float32(scale[p])*float32(v)-least*float32(offset[p]))
	}
	data = append(append(half(d), half(least)...), packed...)
	if kind == 13 {
		data = append(data, high...)
	}
	return append(data, numbers...), want
}

// Blocks of every type give the numbers that they were made of.
func TestQuantized(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, kind := range []uint32{2, 3, 6, 7, 8, 12, 13, 14} {
		encode, block := quantized, 32
		if kind >= 12 {
			encode, block = large, 256
		}
		var data []byte
		var want []float32
		for range 6 {
			d, w := encode(r, kind)
			data, want = append(data, d...), append(want, w...)
		}
		f, err := gguf.Read(file(stored{"w", []uint64{uint64(2 * block), 3}, kind, data}), "x")
		require.NoError(t, err)
		b, err := f.Tensor("w")
		require.NoError(t, err)
		require.Equal(t, []int{3, 2 * block}, b.Shape)
		require.Equal(t, want, buf.Slice[float32](b), f.Tensors()[0].Type)
		rows := make([]float32, 4*block)
		r, err := f.Rows("w")
		require.NoError(t, err)
		require.NoError(t, r.Lookup([]int{2, 0}, rows))
		require.Equal(t, append(want[4*block:6*block:6*block], want[:2*block]...), rows, "rows that are looked up")
		require.ErrorContains(t, r.Lookup([]int{3, 0}, rows), "no row 3")
		require.ErrorContains(t, r.Lookup([]int{0}, rows), "do not fill")
	}
}

func sample() []byte {
	return file(stored{"a", []uint64{3, 2}, 0, make([]byte, 24)}, stored{"b", []uint64{32}, 2, make([]byte, 18)},
		stored{"half", []uint64{2}, 1, append(half(1.5), half(-2)...)}, stored{"i", []uint64{2}, 26, []byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}})
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gguf")
	require.NoError(t, os.WriteFile(path, sample(), 0o644))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	rows, err := f.Rows("a")
	require.NoError(t, err)
	require.Equal(t, map[string]any{"general.alignment": uint64(64), "general.name": "small", "x.flag": true, "x.epsilon": 0.5}, f.Metadata)
	all, err := f.All()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	require.Len(t, all, 4)
	require.Equal(t, []int{2, 3}, all["a"].Shape)
	require.Equal(t, dtype.F16, all["half"].DType)
	require.Equal(t, 1.5, all["half"].Float64(0))
	require.Equal(t, []int32{1, -1}, buf.Slice[int32](all["i"]))
	_, err = f.Tensor("a")
	require.ErrorContains(t, err, "closed")
	require.ErrorContains(t, rows.Lookup([]int{0}, make([]float32, 3)), "closed")
	_, err = f.Tensor("none")
	require.ErrorContains(t, err, `there is no tensor "none"`)
	for _, c := range []struct {
		size int64
		want string
	}{{7, "ends early"}, {0, "is empty"}} { // too short for a header
		require.NoError(t, os.Truncate(path, c.size))
		_, err = gguf.Open(path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, c.want)
	}
}

// TestPlain: types that are not quantized keep the bytes that the file has.
func TestPlain(t *testing.T) {
	for kind, d := range map[uint32]dtype.DType{0: dtype.F32, 1: dtype.F16, 24: dtype.I8, 25: dtype.I16, 26: dtype.I32, 27: dtype.I64,
		28: dtype.F64, 30: dtype.BF16} {
		data := make([]byte, 3*d.Size())
		for i := range data {
			data[i] = byte(7*i + 1)
		}
		f, err := gguf.Read(file(stored{"a", []uint64{3}, kind, data}, stored{"b", []uint64{1, 3}, kind, data}), "x")
		require.NoError(t, err)
		all, err := f.All()
		require.NoError(t, err)
		for name, dims := range map[string][]int{"a": {3}, "b": {3, 1}} {
			require.Equal(t, d, all[name].DType)
			require.Equal(t, dims, all[name].Shape)
			require.Equal(t, data, all[name].Bytes())
		}
	}
}

func TestErrors(t *testing.T) {
	for want, data := range map[string][]byte{
		"does not start":       []byte("GGML............................"),
		"ends early":           sample()[:60],
		"is empty":             {},
		"early: it is damaged": sample()[:3],
		"does not lie":         sample()[:len(sample())-1],
		"version 1":            append([]byte("GGUF\x01\x00\x00\x00"), sample()[8:]...),
		"not whole blocks":     file(stored{"w", []uint64{33}, 2, make([]byte, 18)}),
		"elements of type 99 ": file(stored{"w", []uint64{256}, 99, make([]byte, 66)}),
		"two tensors":          file(stored{"w", []uint64{1}, 0, make([]byte, 4)}, stored{"w", []uint64{1}, 0, make([]byte, 4)}),
		"an extent of":         file(stored{"w", []uint64{1 << 40}, 0, nil}),
		"inside of another":    file(stored{"v", []uint64{32}, 0, nil}, stored{"w", []uint64{1}, 0, make([]byte, 256)}),
		"5 dimensions":         file(stored{"w", []uint64{1, 1, 1, 1, 1}, 0, make([]byte, 4)}),
	} {
		_, err := gguf.Read(data, "x")
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "x: byte ")
	}
}

// Files that are cut, altered or claim much are read or refused within bounds.
func TestHostile(t *testing.T) {
	open := func(path string) error {
		f, err := gguf.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.All()
		return err
	}
	for what, data := range hostile.Variants(sample(), 200) {
		if err := hostile.Open(t, what, data, open); strings.HasPrefix(what, "cut") {
			require.Error(t, err, what)
		}
	}
	start := append([]byte("GGUF\x03\x00\x00\x00"), make([]byte, 16)...)
	count := func(tensors, entries uint64, rest ...[]byte) []byte {
		b := bytes.Clone(start)
		little.PutUint64(b[8:], tensors)
		little.PutUint64(b[16:], entries)
		return append(b, bytes.Join(rest, nil)...)
	}
	list := func(kind uint32, n uint64) []byte {
		return little.AppendUint64(little.AppendUint32(little.AppendUint32(text(nil, "k"), 9), kind), n)
	}
	for what, data := range map[string][]byte{
		"many tensors":  count(1<<60, 0),
		"many entries":  count(0, 1<<60),
		"long key":      count(0, 1, little.AppendUint64(nil, 1<<62)),
		"long list":     count(0, 1, list(10, 1<<62)),
		"list of texts": count(0, 1, list(8, 1<<62), make([]byte, 64<<20)),
		"lists":         count(0, 1, list(9, 1<<62), bytes.Repeat(little.AppendUint64(little.AppendUint32(nil, 9), 1<<40), 1<<20)),
		"empty names":   count(1<<16, 0, make([]byte, 4<<20)),
	} {
		require.Error(t, hostile.Open(t, what, data, open), what)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample())
	f.Add(file(stored{"w", []uint64{256}, 14, make([]byte, 210)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gguf.Read(data, "x")
		if err != nil {
			return
		}
		if _, err := file.All(); err == nil {
			for _, info := range file.Tensors() {
				require.LessOrEqual(t, info.Bytes, int64(len(data)))
			}
		}
	})
}

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.gguf")
	if err := os.WriteFile(path, sample(), 0o600); err != nil {
		panic(err)
	}
	f, err := gguf.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for _, info := range f.Tensors() {
		fmt.Println(info.Name, info.Type, info.Shape)
	}
	// Output:
	// a F32 [2 3]
	// b Q4_0 [32]
	// half F16 [2]
	// i I32 [2]
}

// TestRowsOfIntegers: integers have no rows as f32.
func TestRowsOfIntegers(t *testing.T) {
	f, err := gguf.Read(file(stored{"i", []uint64{1, 2}, 26, make([]byte, 8)}), "x")
	require.NoError(t, err)
	_, err = f.Rows("i")
	require.ErrorContains(t, err, `tensor "i" of I32 and the shape [2 1] has no rows`)
}

func ExampleFile_Rows() {
	f, err := gguf.Read(sample(), "example.gguf")
	if err != nil {
		panic(err)
	}
	rows, err := f.Rows("a")
	if err != nil {
		panic(err)
	}
	out := make([]float32, 3)
	if err := rows.Lookup([]int{1}, out); err != nil {
		panic(err)
	}
	fmt.Println(out, rows.Lookup([]int{2}, out))
	// Output: [0 0 0] example.gguf: tensor "a" has no row 2, it has 2
}

// Metadata are numbers, truths and texts; a list is given by its kind. A quantized tensor is read as f32, or as the
// bytes of its blocks.
func ExampleFile() {
	f, err := gguf.Read(sample(), "example.gguf")
	if err != nil {
		panic(err)
	}
	fmt.Println(f.Metadata["general.name"], f.Metadata["x.epsilon"], f.Texts("tokens"))
	weight, err := f.Tensor("b")
	if err != nil {
		panic(err)
	}
	blocks, format, err := f.Stored("b")
	if err != nil {
		panic(err)
	}
	fmt.Println(weight.DType, weight.Shape, format, blocks.Shape)
	// Output:
	// small 0.5 [ab c]
	// f32 [32] q4_0 [18]
}

// TestMetadata: a number of every type is read with its sign; what has no type is refused.
func TestMetadata(t *testing.T) {
	entry := func(kind uint32, data ...byte) []byte {
		b := little.AppendUint64(little.AppendUint64(little.AppendUint32([]byte("GGUF"), 3), 0), 1)
		b = append(little.AppendUint32(text(b, "k"), kind), data...)
		return append(b, make([]byte, 64)...)
	}
	ones := bytes.Repeat([]byte{0xff}, 8)
	for kind, want := range map[uint32]any{0: uint64(0xff), 1: int64(-1), 2: uint64(0xffff), 3: int64(-1), 4: uint64(0xffffffff),
		5: int64(-1), 7: true, 10: uint64(math.MaxUint64), 11: int64(-1)} {
		size := map[uint32]int{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 7: 1, 10: 8, 11: 8}[kind]
		f, err := gguf.Read(entry(kind, ones[:size]...), "x")
		require.NoError(t, err, kind)
		require.Equal(t, want, f.Metadata["k"], kind)
	}
	f, err := gguf.Read(entry(6, little.AppendUint32(nil, math.Float32bits(-2.5))...), "x")
	require.NoError(t, err)
	require.Equal(t, -2.5, f.Metadata["k"])
	f, err = gguf.Read(entry(12, little.AppendUint64(nil, math.Float64bits(-2.5))...), "x")
	require.NoError(t, err)
	require.Equal(t, -2.5, f.Metadata["k"])
	f, err = gguf.Read(entry(8, text(nil, "abc")...), "x")
	require.NoError(t, err)
	require.Equal(t, "abc", f.Metadata["k"])
	for _, kind := range []uint32{13, 14, 1 << 31} {
		_, err = gguf.Read(entry(kind, ones...), "x")
		require.ErrorContains(t, err, "no metadata has type")
	}
}

// TestLists reads the lists of the metadata: texts as they are, numbers of each type, truths.
func TestLists(t *testing.T) {
	b := little.AppendUint32([]byte("GGUF"), 3)
	b = little.AppendUint64(little.AppendUint64(b, 0), 5)
	head := func(key string, kind uint32, n uint64) {
		b = little.AppendUint64(little.AppendUint32(little.AppendUint32(text(b, key), 9), kind), n)
	}
	head("tokens", 8, 2)
	b = text(text(b, "a\xff"), "")
	head("scores", 6, 2)
	b = little.AppendUint32(little.AppendUint32(b, math.Float32bits(-1.5)), math.Float32bits(2))
	head("types", 5, 2)
	b = little.AppendUint32(little.AppendUint32(b, 0xffffffff), 7)
	head("flags", 7, 2)
	b = append(b, 1, 0)
	head("none", 4, 0)
	f, err := gguf.Read(b, "lists")
	require.NoError(t, err)
	require.Equal(t, []string{"a\xff", ""}, f.Texts("tokens"))
	require.Equal(t, []float64{-1.5, 2}, f.Numbers("scores"))
	require.Equal(t, []float64{-1, 7}, f.Numbers("types"))
	require.Equal(t, []float64{1, 0}, f.Numbers("flags"))
	require.Empty(t, f.Numbers("none"))
	require.NotNil(t, f.Numbers("none"))
	require.Nil(t, f.Numbers("tokens"))
	require.Nil(t, f.Texts("scores"))
	require.Nil(t, f.Texts("absent"))
	require.NoError(t, f.Close())
	require.Nil(t, f.Texts("tokens"))
}

// TestStored: tensors lie where the file has them.
func TestStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gguf")
	data, want := quantized(rand.New(rand.NewPCG(1, 1)), 8)
	require.NoError(t, os.WriteFile(path, file(stored{"a", []uint64{3, 2}, 0, make([]byte, 24)}, stored{"w", []uint64{32, 1}, 8, data}), 0o644))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	b, format, err := f.Stored("w")
	require.NoError(t, err)
	again, _, err := f.Stored("w")
	require.NoError(t, err)
	require.Equal(t, b.Pointer(), again.Pointer(), "no copy")
	require.NoError(t, f.Close())
	require.Equal(t, dtype.Q8_0, format)
	require.Equal(t, dtype.U8, b.DType)
	require.Equal(t, []int{1, 34}, b.Shape)
	require.Equal(t, data, b.Bytes())
	values := make([]float32, 32)
	block.Decode(format, values, b.Bytes())
	require.Equal(t, want, values)
	_, _, err = f.Stored("w")
	require.ErrorContains(t, err, "closed")
}
