package torchscript

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// member is one member of an archive that a test builds.
type member struct{ name, body string }

// pack makes a zip archive without compression, as PyTorch does.
func pack(t testing.TB, members ...member) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write([]byte(m.body))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

func read(data []byte) (*Model, error) {
	return Read(bytes.NewReader(data), int64(len(data)), "m.pt")
}

// The functions below write the instructions of pickles.

func pickled(body string) string { return "\x80\x02" + body + "." }

func pGlobal(module, name string) string { return "c" + module + "\n" + name + "\n" }

func pText(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func pInt(n int) string {
	return "J" + string(binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

func pInts(ns ...int) string {
	s := "("
	for _, n := range ns {
		s += pInt(n)
	}
	return s + "t"
}

// pObject is an object of a class with attributes: names and instructions in turn.
func pObject(class string, attrs ...string) string {
	dot := strings.LastIndexByte(class, '.')
	s := pGlobal(class[:dot], class[dot+1:]) + ")\x81}("
	for i := 0; i < len(attrs); i += 2 {
		s += pText(attrs[i]) + attrs[i+1]
	}
	return s + "ub"
}

// pTensor is a view of data/key, a storage of n elements.
func pTensor(class, key string, n, offset int, dims, strides []int) string {
	return pGlobal("torch._utils", "_rebuild_tensor_v2") +
		"((" + pText("storage") + pGlobal("torch", class) + pText(key) + pText("cpu") + pInt(n) + "tQ" +
		pInt(offset) + pInts(dims...) + pInts(strides...) +
		"\x89" + pGlobal("collections", "OrderedDict") + ")RtR"
}

func floats32(values ...float32) string {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return string(b)
}

// oneTensor is an archive whose only tensor is w.
func oneTensor(t testing.TB, tensor, data string, more ...member) []byte {
	return pack(t, append([]member{
		{"m/data.pkl", pickled("}" + pText("w") + tensor + "s")},
		{"m/data/0", data},
		{"m/version", "3\n"},
	}, more...)...)
}

// TestSharedTensors: a tensor that a file has under several names is one parameter, and stands in the state under each.
func TestSharedTensors(t *testing.T) {
	tensor := pTensor("FloatStorage", "0", 2, 0, []int{2}, []int{1})
	m, err := read(oneTensor(t, tensor+"q\x01s"+pText("tied")+"h\x01s"+pText("list")+"]h\x01a", floats32(3, 4)))
	require.NoError(t, err)
	require.Len(t, m.Parameters(), 1)
	state, err := m.State()
	require.NoError(t, err)
	require.Len(t, state, 3)
	for _, name := range []string{"w", "tied", "list.0"} {
		require.Same(t, m.Parameters()[0].Data, state[name], name)
	}
	name := strings.Repeat("n", maxPath-8)
	var text strings.Builder
	text.WriteString("}" + pText(name) + "}" + pText("w") + tensor + "q\x01s")
	for i := range maxNames/(maxPath-8) + 1 {
		text.WriteString(pText(strconv.Itoa(i)) + "h\x01s")
	}
	m, err = read(pack(t, member{"m/data.pkl", pickled(text.String() + "s")}, member{"m/data/0", floats32(3, 4)}, member{"m/version", "3\n"}))
	require.NoError(t, err)
	_, err = m.State()
	require.ErrorContains(t, err, "m.pt: the names of tensors that have several take more than")
}

func TestTensorsAreViewsOfStorages(t *testing.T) {
	data := floats32(0, 1, 2, 3, 4, 5)
	for _, c := range []struct {
		name          string
		offset        int
		dims, strides []int
		want          []float32
	}{
		{"whole", 0, []int{2, 3}, []int{3, 1}, []float32{0, 1, 2, 3, 4, 5}},
		{"transposed", 0, []int{3, 2}, []int{1, 3}, []float32{0, 3, 1, 4, 2, 5}},
		{"row", 3, []int{3}, []int{1}, []float32{3, 4, 5}},
		{"column", 1, []int{2}, []int{3}, []float32{1, 4}},
		{"expanded", 2, []int{2, 2}, []int{0, 1}, []float32{2, 3, 2, 3}},
		{"scalar", 4, []int{}, []int{}, []float32{4}},
		{"empty", 0, []int{0, 7}, []int{7, 1}, nil},
		{"extent of one", 5, []int{1, 1}, []int{99, 99}, []float32{5}},
	} {
		m, err := read(oneTensor(t, pTensor("FloatStorage", "0", 6, c.offset, c.dims, c.strides), data))
		require.NoError(t, err, c.name)
		require.Len(t, m.Parameters(), 1)
		p := m.Parameters()[0]
		assert.Equal(t, "w", p.Name)
		assert.Equal(t, c.dims, p.Data.Shape)
		assert.Equal(t, c.want, buf.Slice[float32](p.Data), c.name)
	}
}

func TestElementTypes(t *testing.T) {
	for class, d := range storageTypes {
		if d == dtype.Invalid || class[0] == 'Q' { // quantized tensors have a test of their own
			continue
		}
		data := make([]byte, 2*d.Size())
		for i := range data {
			data[i] = byte(i % 2)
		}
		m, err := read(oneTensor(t, pTensor(class, "0", 2, 0, []int{2}, []int{1}), string(data)))
		require.NoError(t, err, class)
		assert.Equal(t, d, m.Parameters()[0].Data.DType)
		assert.Equal(t, data, m.Parameters()[0].Data.Bytes())
	}
}

func TestByteOrder(t *testing.T) {
	tensor := pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1})
	big := string(binary.BigEndian.AppendUint32(nil, math.Float32bits(1.5)))
	m, err := read(oneTensor(t, tensor, big, member{"m/byteorder", "big"}))
	require.NoError(t, err)
	assert.Equal(t, 1.5, m.Parameters()[0].Data.Float64(0))

	m, err = read(oneTensor(t, tensor, floats32(1.5), member{"m/byteorder", "little"}))
	require.NoError(t, err)
	assert.Equal(t, 1.5, m.Parameters()[0].Data.Float64(0))

	untyped := pGlobal("torch._utils", "_rebuild_tensor_v3") + "((" + pText("storage") + pGlobal("torch", "UntypedStorage") + pText("0") + pText("cpu") + pInt(4) + "tQ" +
		pInt(0) + pInts(1) + pInts(1) + "\x89" + pGlobal("collections", "OrderedDict") + ")R" + pGlobal("torch", "float32") + "tR"
	_, err = read(oneTensor(t, untyped, big, member{"m/byteorder", "big"}))
	assert.ErrorContains(t, err, "data/0: an untyped storage in big-endian order is not supported")
	_, err = read(oneTensor(t, tensor, big, member{"m/byteorder", "big and more than sixteen bytes"}))
	assert.ErrorContains(t, err, "m.pt: byteorder: 31 bytes exceed the limit of 16")
	_, err = read(oneTensor(t, tensor, big, member{"m/byteorder", "middle"}))
	assert.EqualError(t, err, `m.pt: byteorder: byte 0: "middle" is not a byte order`)
}

// An archive's members lie in a folder of any name, or in none.
func TestPrefixes(t *testing.T) {
	tensor := pickled("}" + pText("w") + pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}) + "s")
	for _, prefix := range []string{"", "archive/", "a/b c/"} {
		m, err := read(pack(t, member{prefix + "data.pkl", tensor}, member{prefix + "data/0", floats32(7)}))
		require.NoError(t, err, prefix)
		assert.Equal(t, 7.0, m.Parameters()[0].Data.Float64(0))
	}
}

func TestDamagedFiles(t *testing.T) {
	float := func(n, offset int, dims, strides []int) string {
		return pTensor("FloatStorage", "0", n, offset, dims, strides)
	}
	one := []int{1}
	whole := oneTensor(t, float(1, 0, one, one), floats32(1))
	corrupt := bytes.Replace(whole, []byte(floats32(1)), []byte(floats32(2)), 1)
	misplaced := slices.Clone(whole)
	nowhere := slices.Clone(whole)
	binary.LittleEndian.PutUint64(nowhere[bytes.LastIndex(whole, []byte("PK\x05\x06"))+12:], 3<<32+7)
	binary.LittleEndian.PutUint32(misplaced[bytes.LastIndex(whole, []byte("PK\x05\x06"))+16:], 1<<20)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "m.pt: byte 0: the file is empty"},
		{"text", []byte("hello"), `m.pt: byte 0: not a .pt file: it starts with "hell" instead of "PK\x03\x04"`},
		{"old pickle", []byte("\x80\x02."), "m.pt: byte 0: a bare pickle, as torch.save wrote before PyTorch 1.6: load and save it with a newer release"},
		{"truncated", whole[:100], "m.pt: byte 100: the file is truncated: a zip archive's directory is missing at its end"},
		{"wrong offset", misplaced, "m.pt: byte 484: the zip archive is damaged: its end says that the directory has 165 bytes from byte 1048576 on: zip: not a valid zip file"},
		{"no directory", nowhere, "m.pt: byte 484: the zip archive is damaged: its end says that the directory has 7 bytes from byte 3 on: unexpected EOF"},
		{"other zip", pack(t, member{"a.txt", "x"}), "m.pt: the archive has no data.pkl: no file of PyTorch; save one by torch.jit.save or torch.export.save"},
		{"PyTorch 1.0", pack(t, member{"m/model.json", "{}"}), "m.pt: m/model.json: a file of a release before PyTorch 1.4: load and save it with a newer one"},
		{"checksum", corrupt, "m.pt: data.pkl: byte 145: data/0: byte 4: zip: checksum error"},
		{"twice", pack(t, member{"data.pkl", "a"}, member{"data.pkl", "b"}), "m.pt: data.pkl: the archive has two members of this name"},
		{"no pickle", pack(t, member{"data.pkl", "hello"}), "m.pt: data.pkl: byte 0: nothing is stored at index 101 of the memo"},
		{"truncated pickle", pack(t, member{"data.pkl", "\x80\x02X\xff\x00\x00\x00abc"}), "m.pt: data.pkl: byte 2: the input ends inside of a string: 255 bytes wanted, 3 left"},
		{"dangerous", pack(t, member{"data.pkl", pickled(pGlobal("os", "system") + "(" + pText("true") + "tR")}), "m.pt: data.pkl: byte 2: os.system is not among the functions that a model's file may name"},
		{"Python object", pack(t, member{"data.pkl", pickled(pObject("torch.nn.modules.linear.Linear"))}), "m.pt: data.pkl: byte 2: the file holds a Python object of class torch.nn.modules.linear.Linear: save the model by torch.jit.save instead of torch.save"},
		{"no code", pack(t, member{"data.pkl", pickled(pObject("__torch__.M"))}), "m.pt: data.pkl: byte 16: the archive's code has no class __torch__.M"},
		{"no storage", oneTensor(t, pTensor("FloatStorage", "1", 1, 0, one, one), ""), "m.pt: data.pkl: byte 145: data/1: the archive has no such member"},
		{"short storage", oneTensor(t, float(9, 0, one, one), floats32(1)), "m.pt: data.pkl: byte 145: data/0: byte 4: a storage of 9 elements of 4 bytes is truncated"},
		{"beyond", oneTensor(t, float(2, 1, []int{2}, one), floats32(1, 2)), "m.pt: data.pkl: byte 145: a tensor [2] reaches beyond its storage of 2 elements"},
		{"stride", oneTensor(t, float(2, 0, []int{2}, []int{1 << 30}), floats32(1, 2)), "m.pt: data.pkl: byte 145: a tensor [2] has a stride of 1073741824 in a storage of 2 elements"},
		{"repeated", oneTensor(t, float(1, 0, []int{1 << 15, 1 << 15}, []int{0, 0}), floats32(1)), "m.pt: data.pkl: byte 155: a tensor [32768 32768] is one copy too many of elements that the file has once"},
		{"huge", oneTensor(t, float(1, 0, []int{1 << 30, 1 << 30}, []int{0, 0}), floats32(1)), "m.pt: data.pkl: byte 155: tensor is too large: [1073741824 1073741824]"},
		{"quantized", oneTensor(t, pTensor("QInt8Storage", "0", 1, 0, one, one), "a"), "m.pt: data.pkl: byte 145: a tensor of a quantized storage has no quantizer"},
		{"self", pack(t, member{"data.pkl", pickled("]q\x00(h\x00t\x85")}), ""},
	} {
		_, err := read(c.data)
		if c.want == "" {
			assert.Error(t, err, c.name)
			continue
		}
		assert.EqualError(t, err, c.want, c.name)
	}
}

func TestMissingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.pt")
	_, err := Load(path)
	assert.EqualError(t, err, "open "+path+": no such file or directory")
	_, err = Load(t.TempDir())
	assert.ErrorContains(t, err, "not a regular file")

	require.NoError(t, os.WriteFile(path, []byte("PK\x03\x04"), 0o600))
	_, err = Load(path)
	assert.EqualError(t, err, path+": byte 4: the file is truncated: a zip archive's directory is missing at its end")
}

// Sizes that a directory gives must be the members' sizes, and fit into the file.
func TestLyingDirectory(t *testing.T) {
	tensor := pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1})
	data := oneTensor(t, tensor, floats32(1))
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, z.File, 3)
	entry := bytes.Index(data, []byte("PK\x01\x02")) // of data.pkl
	require.Positive(t, entry)
	for _, c := range []struct {
		at    int
		size  uint32
		wants string
	}{
		{20, 1 << 20, "the sizes of the members exceed the archive's"},
		{24, 1 << 30, "the archive would unpack to more than 100 times its size"},
		{24, uint32(z.File[0].UncompressedSize64) + 1, "m.pt: data.pkl: "},
		{24, uint32(z.File[0].UncompressedSize64) - 1, "m.pt: data.pkl: "},
	} {
		lying := bytes.Clone(data)
		binary.LittleEndian.PutUint32(lying[entry+c.at:], c.size)
		_, err := read(lying)
		require.ErrorContains(t, err, c.wants)
	}
	damaged := bytes.Clone(data)
	binary.LittleEndian.PutUint16(damaged[entry+28:], 60000) // the length of a name
	_, err = read(damaged)
	require.ErrorContains(t, err, "from byte 319 on: unexpected EOF")
}

// TestEncrypted: a member that needs a password is refused by name, as in PyTorch.
func TestEncrypted(t *testing.T) {
	data := pack(t, member{"m/data.pkl", pickled("N")}, member{"m/version", "3"})
	at := bytes.Index(data, []byte("PK\x01\x02"))
	require.Positive(t, at)
	data[at+8] |= 1
	_, err := read(data)
	require.EqualError(t, err, "m.pt: m/data.pkl is encrypted: write the archive without a password")
}

// A small archive cannot unpack to a large one.
func TestZipBomb(t *testing.T) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create("data.pkl")
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 10<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	_, err = read(out.Bytes())
	assert.EqualError(t, err, "m.pt: data.pkl: the archive would unpack to more than 100 times its size")
}

func FuzzRead(f *testing.F) {
	f.Add(oneTensor(f, pTensor("FloatStorage", "0", 1, 0, []int{1}, []int{1}), floats32(1)))
	f.Add(moduleArchive(f, "    return torch.relu(x)\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := read(data)
		if (m == nil) == (err == nil) {
			t.Fatal(m, err)
		}
		if err == nil {
			_, _ = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
		}
	})
}

// Whatever the pickle says, reading it ends with a model or an error.
func FuzzObjects(f *testing.F) {
	tensor := pTensor("FloatStorage", "0", 6, 1, []int{2, 2}, []int{1, 3})
	f.Add([]byte(pickled("}" + pText("w") + tensor + "s")))
	f.Add([]byte(pickled(pObject("__torch__.M", "w", tensor, "sizes", "](K\x03K\x04e"))))
	f.Add([]byte(pickled(pGlobal("__torch__", "E") + "K\x01R")))
	f.Add([]byte(pickled(pGlobal("collections", "OrderedDict") + "](K\x01K\x02\x86a\x85R")))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := read(pack(t, member{"data.pkl", string(data)},
			member{"data/0", floats32(0, 1, 2, 3, 4, 5)},
			member{"code/__torch__.py", "class M(Module):\n  w : Tensor\n  def forward(self,\n    x: Tensor):\n" +
				"    return self.w\nclass E(Enum):\n  A = 1\n"}))
		if err == nil {
			_, _ = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1}}})
		}
	})
}
