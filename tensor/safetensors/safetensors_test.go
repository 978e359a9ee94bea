package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/tensor/safetensors"
)

// file is a file with a header and elements.
func file(header string, elements ...byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), elements...)
}

func samples() []safetensors.Tensor {
	var list []safetensors.Tensor
	for i, d := range dtype.All() {
		if d == dtype.C128 {
			continue
		}
		for j, dims := range [][]int{{}, {3}, {4, 16}, {0, 2}} {
			b := buf.New(d, dims)
			for k := range b.Len() {
				b.SetFloat64(k, float64((k+i+j)%2))
			}
			list = append(list, safetensors.Tensor{Name: fmt.Sprintf("%v.%d<é>", d, j), Data: b})
		}
	}
	return list
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.safetensors")
	metadata := map[string]string{"format": "pt", "made by": "a \"test\""}
	require.NoError(t, safetensors.WriteFile(path, samples(), metadata))
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	require.Equal(t, metadata, f.Metadata)
	require.Len(t, f.Names(), len(samples()))
	for _, want := range samples() {
		have, err := f.Tensor(want.Name)
		require.NoError(t, err)
		require.Equal(t, want.Data.DType, have.DType)
		require.Equal(t, want.Data.Shape, have.Shape)
		require.Equal(t, string(want.Data.Bytes()), string(have.Bytes()))
	}
	require.NoError(t, f.Close())
	all, err := f.All()
	require.NoError(t, err, "a mapping that is in use stays")
	require.Len(t, all, len(samples()))
	_, err = f.Tensor("none")
	require.EqualError(t, err, path+`: there is no tensor "none"`)
}

// TestMapped: a tensor that is aligned is not copied, and to write to it does not change the file.
func TestMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.safetensors")
	b := buf.New(dtype.F32, []int{16, 1 << 16})
	require.NoError(t, safetensors.WriteFile(path, []safetensors.Tensor{{Name: "odd", Data: buf.From([]int8{1})},
		{Name: "w", Data: b}}, nil))
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	memory := testing.AllocsPerRun(1, func() {
		w, err := f.Tensor("w")
		require.NoError(t, err)
		w.Bytes()[0] = 1
	})
	require.Less(t, memory, 10.0)
	x, err := f.Tensor("w")
	require.NoError(t, err)
	y, err := f.Tensor("w")
	require.NoError(t, err)
	require.Equal(t, x.Pointer(), y.Pointer())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, bytes.Count(data, []byte{1}), 1, "of the other tensor")
}

func TestClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.safetensors")
	require.NoError(t, safetensors.WriteFile(path, samples(), nil))
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = f.Tensor(samples()[0].Name)
	require.ErrorContains(t, err, "the file is closed")
	require.NoError(t, f.Close())
}

// TestOtherTypes reads unsigned integers and floats of 8 bits, from a file as other programs write it.
func TestOtherTypes(t *testing.T) {
	elements := binary.LittleEndian.AppendUint16(nil, math.MaxUint16)
	elements = binary.LittleEndian.AppendUint32(elements, math.MaxUint32)
	elements = binary.LittleEndian.AppendUint64(elements, 1<<63)
	elements = append(elements, 0x38, 0x3c, 2)
	f, err := safetensors.Read(file(`{"a":{"dtype":"U16","shape":[1],"data_offsets":[0,2]},
		"b":{"dtype":"U32","shape":[1],"data_offsets":[2,6]}, "c":{"dtype":"U64","shape":[1],"data_offsets":[6,14]},
		"d":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[14,15]},
		"e":{"dtype":"F8_E5M2","shape":[1],"data_offsets":[15,16]},
		"f":{"dtype":"BOOL","shape":[],"data_offsets":[16,17]}}  `, elements...), "x")
	require.NoError(t, err)
	for i, want := range []struct {
		d dtype.DType
		v float64
	}{{dtype.U16, math.MaxUint16}, {dtype.U32, math.MaxUint32}, {dtype.U64, 1 << 63}, {dtype.F8E4M3FN, 1},
		{dtype.F8E5M2, 1}, {dtype.Bool, 1}} {
		b, err := f.Tensor(string(rune('a' + i)))
		require.NoError(t, err)
		require.Equal(t, want.d, b.DType)
		require.Equal(t, want.v, b.Float64(0))
	}
	require.Equal(t, "U16", f.Tensors()[0].Type)
}

// TestUnknownType: a tensor of a type that is not supported is refused when it is asked for, and the others are read.
func TestUnknownType(t *testing.T) {
	f, err := safetensors.Read(file(`{"a":{"dtype":"F4","shape":[2,2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`,
		1, 2, 3, 4), "x")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, f.Names())
	info := f.Tensors()[0]
	require.Equal(t, []any{"F4", false, []int{2, 2}, int64(2)}, []any{info.Type, info.DType.Valid(), info.Shape, info.Bytes})
	b, err := f.Tensor("b")
	require.NoError(t, err)
	require.Equal(t, []byte{3, 4}, b.Bytes())
	const want = `x: tensor "a": elements of type "F4" are not supported; the other tensors of the file can be read by name`
	_, err = f.Tensor("a")
	require.EqualError(t, err, want)
	_, err = f.All()
	require.EqualError(t, err, want)
}

func TestErrors(t *testing.T) {
	one := func(fields string) string { return `{"a":{` + fields + `}}` }
	byteAt := func(at int) string { return fmt.Sprintf(`{"dtype":"U8","shape":[],"data_offsets":[%d,%d]}`, at, at+1) }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":     {nil, "x: byte 0: 0 bytes are no safetensors file"},
		"length":    {[]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "a header of 18446744073709551615 bytes"},
		"cut":       {file(`{"a":`), "it ends early"},
		"no object": {file(`[1]`), "[ stands where { is needed"},
		"behind":    {file(`{} 1`), "something follows the object"},
		"twice":     {file(`{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}`, 1), `the key "a" comes twice`},
		"fifth twice": {file(`{"a":`+byteAt(0)+`,"b":`+byteAt(1)+`,"c":`+byteAt(2)+`,"d":`+byteAt(3)+`,"e":`+byteAt(4)+`,"e":`+byteAt(4)+`}`, 5),
			`the key "e" comes twice`},
		"key twice":  {file(one(`"dtype":"U8","dtype":"I8"`)), `the key "dtype" comes twice`},
		"unknown":    {file(one(`"dtype":"U8","more":1`)), `unknown key "more"`},
		"no type":    {file(one(`"shape":[],"data_offsets":[0,1]`), 1), `tensor "a": it has no dtype`},
		"no shape":   {file(one(`"dtype":"U8","data_offsets":[0,1]`), 1), "it has no shape"},
		"no place":   {file(one(`"dtype":"U8","shape":[]`), 1), "data_offsets [] are no place"},
		"backwards":  {file(one(`"dtype":"U8","shape":[],"data_offsets":[1,0]`), 1), "are no place"},
		"negative":   {file(one(`"dtype":"U8","shape":[-1],"data_offsets":[0,1]`), 1), "-1 is no extent or offset"},
		"fraction":   {file(one(`"dtype":"U8","shape":[1.5],"data_offsets":[0,1]`), 1), "1.5 is no extent"},
		"size":       {file(one(`"dtype":"F32","shape":[1],"data_offsets":[0,1]`), 1), "[1] of F32 are 4 bytes, data_offsets have 1"},
		"overflow":   {file(one(`"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]`)), "tensor is too large"},
		"beyond":     {file(one(`"dtype":"U8","shape":[4],"data_offsets":[0,4]`), 1), `tensor "a" has 4 bytes, 1 are left`},
		"gap":        {file(one(`"dtype":"U8","shape":[1],"data_offsets":[1,2]`), 1, 2), "tensors must not overlap or leave gaps"},
		"rest":       {file(one(`"dtype":"U8","shape":[1],"data_offsets":[0,1]`), 1, 2), "1 bytes belong to no tensor"},
		"overlap":    {file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, 1, 2, 3), "tensors must not overlap"},
		"dimensions": {file(one(`"dtype":"U8","shape":[`+strings.Repeat("1,", 70)+`1],"data_offsets":[0,1]`), 1), "a list of more than 64 numbers"},
		"metadata":   {file(`{"__metadata__":{"a":1}}`), "1 stands where a text is needed"},
		"no UTF-8":   {file("{\"a\xff\":"+byteAt(0)+"}", 1), "the header, which begins at byte 8: byte 3: 0xff is no UTF-8"},
		"surrogate":  {file(`{"a\ud800":`+byteAt(0)+"}", 1), `byte 3: \ud800 is half of a surrogate pair`},
	} {
		_, err := safetensors.Read(c.data, "x")
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestWriteErrors(t *testing.T) {
	one := buf.From([]float32{1}, 1)
	require.ErrorContains(t, safetensors.Write(&bytes.Buffer{}, []safetensors.Tensor{{"a", one}, {"a", one}}, nil),
		`two entries are named "a"`)
	require.ErrorContains(t, safetensors.Write(&bytes.Buffer{}, []safetensors.Tensor{
		{"a", buf.New(dtype.C128, []int{1})}}, nil), `tensor "a": the format has no elements of type c128`)
}

func TestSharded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.safetensors.index.json")
	shards, err := safetensors.WriteSharded(path, samples(), map[string]string{"k": "v"}, 300)
	require.NoError(t, err)
	require.Greater(t, len(shards), 3)
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	require.Len(t, f.Names(), len(samples()))
	require.Equal(t, "v", f.Metadata["k"])
	for _, want := range samples() {
		have, err := f.Tensor(want.Name)
		require.NoError(t, err)
		require.Equal(t, string(want.Data.Bytes()), string(have.Bytes()))
	}
	for text, want := range map[string]string{
		`{"weight_map":{"a":"../m"}}`:               `the shard "../m": the name "../m" leads out of the folder`,
		`{"weight_map":{"a":"/m"}}`:                 `the shard "/m": the name "/m" leads out of the folder`,
		`{"weight_map":{"a":"none"}}`:               "none",
		`{"weight_map":{"a":"` + shards[0] + `"}}`:  `tensor "a" is not in its shard`,
		`{"metadata":{}}`:                           "the index has no tensors",
		`{"weight_map":`:                            "it ends early",
		"{\"weight_map\":{\"a\xff\":\"b\"}}":        "byte 17: 0xff is no UTF-8",
		`{"metadata":` + strings.Repeat("[", 1<<20): "byte",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := safetensors.Open(path)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, os.WriteFile(path, []byte(`{"weight_map":{"a":"device"}}`), 0o644))
	require.NoError(t, os.Symlink(os.DevNull, filepath.Join(dir, "device")))
	_, err = safetensors.Open(path)
	require.ErrorContains(t, err, "not a regular file")
	_, err = safetensors.WriteSharded(filepath.Join(dir, "m.json"), samples(), nil, 300)
	require.Error(t, err)
}

// TestLinkedShards: a folder whose files are links to a store elsewhere, as Hugging Face's tools make it, is read.
func TestLinkedShards(t *testing.T) {
	store, dir := t.TempDir(), t.TempDir()
	shards, err := safetensors.WriteSharded(filepath.Join(store, "m.safetensors.index.json"), samples(), nil, 300)
	require.NoError(t, err)
	for i, name := range append(shards, "m.safetensors.index.json") {
		blob := filepath.Join(store, fmt.Sprint("blob", i))
		require.NoError(t, os.Rename(filepath.Join(store, name), blob))
		require.NoError(t, os.Symlink(blob, filepath.Join(dir, name)))
	}
	f, err := safetensors.Open(filepath.Join(dir, "m.safetensors.index.json"))
	require.NoError(t, err)
	for _, want := range samples() {
		have, err := f.Tensor(want.Name)
		require.NoError(t, err)
		require.Equal(t, string(want.Data.Bytes()), string(have.Bytes()))
	}
}

// TestFolder: of a folder the file of its model is read, or the index.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	_, err := safetensors.Open(dir)
	require.ErrorContains(t, err, "has neither model.safetensors nor model.safetensors.index.json")
	_, err = safetensors.WriteSharded(filepath.Join(dir, "model.safetensors.index.json"), samples(), nil, 300)
	require.NoError(t, err)
	f, err := safetensors.Open(dir)
	require.NoError(t, err)
	require.Len(t, f.Names(), len(samples()))
	require.NoError(t, safetensors.WriteFile(filepath.Join(dir, "model.safetensors"), samples()[:2], nil))
	f, err = safetensors.Open(dir)
	require.NoError(t, err)
	require.Len(t, f.Names(), 2)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	require.NoError(t, os.Symlink("none", filepath.Join(dir, "sub", "model.safetensors")))
	_, err = safetensors.Open(filepath.Join(dir, "sub"))
	require.ErrorContains(t, err, "has neither")
}

// TestHostile: files that are cut, altered, overlapping or huge are read or refused within bounds.
func TestHostile(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, safetensors.Write(&b, samples()[:6], map[string]string{"a": "b"}))
	open := func(path string) error {
		f, err := safetensors.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.All()
		return err
	}
	for what, data := range hostile.Variants(b.Bytes(), 200) {
		if err := hostile.Open(t, what, data, open); strings.HasPrefix(what, "cut") {
			require.Error(t, err, what)
		}
	}
	many := func(entry string, n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `"%x":%s,`, i, entry)
		}
		return strings.TrimSuffix(text.String(), ",")
	}
	place := `{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`
	for what, header := range map[string]string{
		"overlapping":       `{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}`,
		"2^62 elements":     `{"a":{"dtype":"U8","shape":[2147483648,2147483648],"data_offsets":[0,4611686018427387904]}}`,
		"bytes overflow":    `{"a":{"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,8]}}`,
		"offsets overflow":  `{"a":{"dtype":"U8","shape":[8],"data_offsets":[9223372036854775800,9223372036854775807]}}`,
		"many tensors":      "{" + many(place, 280_000) + "}",
		"many texts":        `{"__metadata__":{` + many(`""`, 1_000_000) + "}}",
		"long name":         `{"` + strings.Repeat("a", 15<<20) + `":` + place,
		"deep":              `{"a":` + strings.Repeat("[", 8<<20),
		"long shape":        `{"a":{"dtype":"U8","shape":[` + strings.Repeat("1,", 4<<20) + `1],"data_offsets":[0,1]}}`,
		"header beyond":     "{",
		"larger than bound": `{"a":` + strings.Repeat(" ", 17<<20) + place + "}",
	} {
		data := file(header, 1, 2, 3, 4, 5, 6, 7, 8)
		if what == "header beyond" {
			data[3] = 0x7f
		}
		require.Error(t, hostile.Open(t, what, data, open), what)
	}
	// A file of a terabyte of holes.
	path := filepath.Join(t.TempDir(), "sparse.safetensors")
	require.NoError(t, os.WriteFile(path, file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`), 0o600))
	if os.Truncate(path, 1<<40) == nil {
		require.Error(t, hostile.OpenFile(t, "sparse", path, open))
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	require.NoError(f, safetensors.Write(&b, samples()[:6], map[string]string{"a": "b"}))
	f.Add(b.Bytes())
	f.Add(file(`{"a":{"dtype":"U16","shape":[1],"data_offsets":[0,2]}}`, 1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := safetensors.Read(data, "x")
		if err != nil {
			return
		}
		all, err := file.All()
		if err != nil {
			return
		}
		var list []safetensors.Tensor
		for _, name := range file.Names() {
			list = append(list, safetensors.Tensor{Name: name, Data: all[name]})
		}
		require.NoError(t, safetensors.Write(&bytes.Buffer{}, list, file.Metadata))
	})
}

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.safetensors")
	weights := []safetensors.Tensor{{Name: "layer.weight", Data: buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)}}
	if err := safetensors.WriteFile(path, weights, map[string]string{"format": "pt"}); err != nil {
		panic(err)
	}
	f, err := safetensors.Open(path)
	if err != nil {
		panic(err)
	}
	w, err := f.Tensor("layer.weight")
	fmt.Printf("%v %#v %v %v\n", f.Names(), w, w.Float64(5), err)
	// Output: [layer.weight] buf f32[2 3] 6 <nil>
}

// TestInPlace: a tensor that lies at a multiple of its elements' size, as Hugging Face's files have them, is the memory
// of the file, and rows are read by themselves.
func TestInPlace(t *testing.T) {
	header := `{"a":{"dtype":"F16","shape":[3,2],"data_offsets":[0,12]},"b":{"dtype":"BF16","shape":[2,1],"data_offsets":[12,16]},` +
		`"c":{"dtype":"F32","shape":[1,1],"data_offsets":[16,20]},"d":{"dtype":"I16","shape":[1,1],"data_offsets":[20,22]}}`
	for (8+len(header))%64 != 24 {
		header += " "
	}
	data := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	first := len(data)
	for _, bits := range []uint16{0x3c00, 0x4000, 0xbc00, 0, 0x3800, 0x7c00, 0x3fc0, 0xc000, 0, 0x3f00, 7} { // 1 2 -1 0 0.5 inf, 1.5 -2, 0.5, 7
		data = binary.LittleEndian.AppendUint16(data, bits)
	}
	path := filepath.Join(t.TempDir(), "x.safetensors")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	inMemory, err := safetensors.Read(data, "x")
	require.NoError(t, err)
	stored, err := inMemory.Stored("a")
	require.NoError(t, err)
	require.Same(t, &data[first], &stored.Bytes()[0])
	opened, err := safetensors.Open(path)
	require.NoError(t, err)
	for _, f := range []*safetensors.File{inMemory, opened} {
		for _, c := range []struct {
			name string
			rows []int
			want []float32
		}{{"a", []int{2, 0}, []float32{0.5, float32(math.Inf(1)), 1, 2}}, {"b", []int{1, 1, 0}, []float32{-2, -2, 1.5}}, {"c", []int{0}, []float32{0.5}}} {
			rows, err := f.Rows(c.name)
			require.NoError(t, err)
			out := make([]float32, len(c.want))
			require.NoError(t, rows.Lookup(c.rows, out))
			require.Equal(t, c.want, out)
			require.ErrorContains(t, rows.Lookup([]int{3}, make([]float32, len(c.want)/len(c.rows))), "has no row 3")
			require.ErrorContains(t, rows.Lookup(c.rows, nil), "do not fill 0 numbers")
		}
		_, err = f.Rows("d")
		require.ErrorContains(t, err, `tensor "d" of I16 and the shape [1 1] has no rows`)
	}
	rows, err := opened.Rows("a")
	require.NoError(t, err)
	require.NoError(t, opened.Close())
	require.ErrorContains(t, rows.Lookup([]int{0}, make([]float32, 2)), "closed")
	_, err = opened.Stored("a")
	require.ErrorContains(t, err, "closed")
}
