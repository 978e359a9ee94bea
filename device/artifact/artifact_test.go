package artifact_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
)

// model is a program with weights, one of which is used twice, and a call that the host runs.
func model(t testing.TB) *mlir.Operation {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	weights := func(n int) string {
		var b strings.Builder
		for range n {
			x := uint32(r.Uint32())&0x3fffff | 0x3f000000
			fmt.Fprintf(&b, "%08X", x)
		}
		return b.String()
	}
	text := `func.func @main(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4xi64>) {
  %w = arith.constant dense<"0x` + weights(64*64) + `"> : tensor<64x64xf32>
  %b = arith.constant dense<"0x` + weights(64) + `"> : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<4x64xf32>
  %0 = "aten.linear"(%x, %w, %b) : (tensor<4x64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %1 = "aten.tanh"(%0) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = "aten.linear"(%1, %w) : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %3 = "aten.mul.Tensor"(%2, %two) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %4 = "aten.argmax"(%3) {dim = 1 : i64} : (tensor<4x64xf32>) -> tensor<4xi64>
  return %3, %4 : tensor<4x64xf32>, tensor<4xi64>
}`
	module, err := mlir.Parse("model.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	return module
}

func input() []*buf.Buffer {
	r := rand.New(rand.NewPCG(2, 2))
	x := make([]float32, 4*64)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return []*buf.Buffer{buf.From(x, 4, 64)}
}

func written(t testing.TB, opts artifact.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.acap")
	require.NoError(t, artifact.Write(context.Background(), path, model(t), opts))
	return path
}

func run(t testing.TB, exe device.Executable) []*buf.Buffer {
	t.Helper()
	out, err := exe.Run(context.Background(), input())
	require.NoError(t, err)
	return out
}

func expected(t testing.TB) []*buf.Buffer {
	exe, err := host.Device().Compile(context.Background(), model(t))
	require.NoError(t, err)
	defer exe.Close()
	return run(t, exe)
}

func same(t testing.TB, want, got []*buf.Buffer) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i].Bytes(), got[i].Bytes())
	}
}

// TestLoad: the program of a file computes what was compiled, bit for bit, on every device.
func TestLoad(t *testing.T) {
	for _, opts := range []artifact.Options{{}, {Machines: []string{"npu1", "vck190"}},
		{Config: device.Config{}.WithUnsupported("tanh")}} {
		path := written(t, opts)
		f, err := artifact.Open(path)
		require.NoError(t, err)
		require.Equal(t, []string{"tensor<4x64xf32>"}, f.Inputs)
		for _, dev := range []device.Device{nil, host.Device(), acap.Device()} {
			exe, notice, err := f.Load(context.Background(), dev)
			require.NoError(t, err)
			require.Empty(t, notice)
			same(t, expected(t), run(t, exe))
			same(t, expected(t), run(t, exe))
			if d, ok := exe.(device.Grouped); ok && len(opts.Config.Unsupported()) > 0 {
				require.Less(t, device.Share(d.Division()), 1.0)
				require.Equal(t, map[string]int{"aten.tanh": 1}, exe.Fallbacks())
			}
			exe.Close()
		}
	}
}

// TestDeviceLoad: a file says for which device it is.
func TestDeviceLoad(t *testing.T) {
	exe, err := device.Load(written(t, artifact.Options{Machines: []string{"npu1"}}))
	require.NoError(t, err)
	defer exe.Close()
	same(t, expected(t), run(t, exe))
	r := acap.ReportOf(exe)
	require.NotNil(t, r)
	require.NoError(t, r.Err())
}

// TestOnce: the data of a constant is in the file once, whoever uses it.
func TestOnce(t *testing.T) {
	info, err := os.Stat(written(t, artifact.Options{}))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(3*64*64*4), "as it is, and packed")
}

// changed writes a file with another header, whose checksum is right.
func changed(t testing.TB, path string, edit func(string) string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	n := int(binary.LittleEndian.Uint32(data[16:]))
	text := []byte(edit(string(data[24 : 24+n])))
	require.NotEqual(t, data[24:24+n], text, "nothing was changed")
	for len(text) < n {
		text = append(text, ' ')
	}
	require.Len(t, text, n, "a header of another length moves the sections")
	copy(data[24:], text)
	binary.LittleEndian.PutUint32(data[20:], crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
	out := filepath.Join(t.TempDir(), "changed.acap")
	require.NoError(t, os.WriteFile(out, data, 0o644))
	return out
}

// TestForeign: a file of another version, or for another processor, is compiled again and says so.
func TestForeign(t *testing.T) {
	path := written(t, artifact.Options{Config: device.Config{}.WithUnsupported("tanh")})
	for old, new := range map[string]string{`"version":"format`: `"version":"Format`, `"processor":"`: `"processor":"x`} {
		edited := changed(t, path, func(h string) string {
			h = strings.Replace(h, old, new, 1)
			if strings.HasSuffix(new, "x") {
				h = strings.Replace(h, " vnni", "vnni", 1)
			}
			return h
		})
		f, err := artifact.Open(edited)
		require.NoError(t, err)
		exe, notice, err := f.Load(context.Background(), nil)
		require.NoError(t, err)
		require.Contains(t, notice, "is compiled again: it was made")
		same(t, expected(t), run(t, exe))
		require.Equal(t, 1, exe.Fallbacks()["aten.tanh"], "with its configuration")
		exe.Close()
	}
}

// TestOtherConfiguration: a device with a configuration of its own gets a program of that.
func TestOtherConfiguration(t *testing.T) {
	path := written(t, artifact.Options{Config: device.Config{}.WithUnsupported("tanh")})
	f, err := artifact.Open(path)
	require.NoError(t, err)
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		for _, op := range []string{"tanh", "mul"} {
			exe, notice, err := f.Load(context.Background(), dev.(device.Configurable).With(device.Config{}.WithUnsupported(op)))
			require.NoError(t, err)
			require.Equal(t, op != "tanh", strings.Contains(notice, "it was made with the configuration"), notice)
			for name := range exe.Fallbacks() {
				require.Contains(t, name, op)
			}
			require.NotEmpty(t, exe.Fallbacks())
			same(t, expected(t), run(t, exe))
			exe.Close()
		}
	}
	exe, notice, err := f.LoadWith(context.Background(), host.Device(), device.Config{})
	require.NoError(t, err)
	require.Contains(t, notice, "and not with {}")
	require.Empty(t, exe.Fallbacks())
	exe.Close()
}

// TestOwnMachine: a file holds what its machine is if no preset has the name, so that it runs where the
// description is not.
func TestOwnMachine(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.json")
	describe := func(text string) { require.NoError(t, os.WriteFile(own, []byte(text), 0o644)) }
	describe(`{"base": "npu1", "name": "own", "clock": 2e9}`)
	path := written(t, artifact.Options{Machines: []string{"npu2", own, "npu2"}})
	require.NoError(t, os.Remove(own))
	f, err := artifact.Open(path)
	require.NoError(t, err)
	list, err := f.Arrays()
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []string{"acap:npu2", "acap:own"}, []string{list[0].Name(), list[1].Name()})
	require.EqualValues(t, 2e9, list[1].Machine().Clock.Value)

	f, err = artifact.Open(written(t, artifact.Options{Arrays: list[1:]}))
	require.NoError(t, err)
	dev, err := f.OwnDevice()
	require.NoError(t, err)
	require.Same(t, list[1], dev, "tensors of two files mix")
	exe, notice, err := f.Load(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, notice)
	defer exe.Close()
	same(t, expected(t), run(t, exe))
	require.Equal(t, "own", acap.ReportOf(exe).Machine.Name)

	own = filepath.Join(t.TempDir(), "own.json") // as a name gives the same device every time
	describe(`{"base": "npu1"}`)
	require.NoError(t, artifact.Write(context.Background(), path, model(t), artifact.Options{Machines: []string{"npu1", own}}), "they are the same")
	own = filepath.Join(t.TempDir(), "own.json")
	describe(`{"base": "npu1", "clock": 2e9}`)
	err = artifact.Write(context.Background(), path, model(t), artifact.Options{Machines: []string{"npu1", own}})
	require.ErrorContains(t, err, `two machines are called "npu1"`)
}

// TestNothing: what is not there is refused by name.
func TestNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nothing.acap")
	write := func(module *mlir.Operation, opts artifact.Options) error {
		return tensor.Try(func() { require.Fail(t, "no panic", artifact.Write(context.Background(), path, module, opts)) })
	}
	require.ErrorContains(t, write(nil, artifact.Options{}), "the module is nil")
	require.ErrorContains(t, write(model(t), artifact.Options{Arrays: []*acap.Array{nil}}), "an array is nil")
	require.NoFileExists(t, path)
}

// TestReproducible: what is compiled twice alike gives the same file.
func TestReproducible(t *testing.T) {
	var files [3][]byte
	for i := range files {
		data, err := os.ReadFile(written(t, artifact.Options{Machines: []string{"npu1", "npu2"}, Config: device.Config{}.WithFastMath(2)}))
		require.NoError(t, err)
		files[i] = data
		require.Equal(t, files[0], data)
	}
}

// TestDamaged: a file that is cut, altered anywhere, or whose sections overlap, is an error.
func TestDamaged(t *testing.T) {
	path := written(t, artifact.Options{})
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	refused := func(what string, data []byte) {
		t.Helper()
		out := filepath.Join(t.TempDir(), "damaged.acap")
		require.NoError(t, os.WriteFile(out, data, 0o644))
		_, err := artifact.Open(out)
		require.ErrorIs(t, err, artifact.ErrMalformed, what)
	}
	f, err := artifact.Open(path)
	require.NoError(t, err)
	last := 24 + int(binary.LittleEndian.Uint32(data[16:]))
	used := func(i int) bool {
		if i < last {
			return true
		}
		for _, s := range f.Sections() {
			if int64(i) >= s.Offset && int64(i) < s.Offset+s.Bytes {
				return true
			}
		}
		return false // zeros between sections
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		i := r.IntN(len(data))
		if r.IntN(2) == 0 {
			i = r.IntN(last)
		}
		if !used(i) {
			continue
		}
		flipped := bytes.Clone(data)
		flipped[i] ^= 1 << r.IntN(8)
		refused(fmt.Sprintf("byte %d", i), flipped)
	}
	for _, n := range []int{0, 1, 15, 16, 23, 24, 100, last, last + 1, len(data) / 2, len(data) - 1} {
		refused(fmt.Sprintf("cut to %d", n), data[:n])
	}
	refused("longer", append(bytes.Clone(data), 0))
	huge := bytes.Clone(data)
	binary.LittleEndian.PutUint32(huge[16:], 1<<31)
	refused("a header beyond the file", huge)
}

// TestHostileHeaders: headers whose checksums are right, but not what they say.
func TestHostileHeaders(t *testing.T) {
	path := written(t, artifact.Options{})
	f, err := artifact.Open(path)
	require.NoError(t, err)
	first, second := f.Sections()[0], f.Sections()[1]
	field := func(name string, n int64) string { return fmt.Sprintf("%q:%d", name, n) }
	for what, edit := range map[string][2]string{
		"overlapping":  {field("offset", second.Offset), field("offset", first.Offset)},
		"not aligned":  {field("offset", first.Offset), field("offset", first.Offset+1)},
		"too long":     {field("bytes", first.Bytes), field("bytes", first.Bytes+first.Bytes/2)},
		"negative":     {field("bytes", first.Bytes), `"bytes":-1`},
		"of strings":   {`"blobs":[`, `"blobs":[9`},
		"no JSON":      {`{"version"`, `["version"`},
		"another kind": {`"inputs":[`, `"inputs":9,"`},
	} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		n := int(binary.LittleEndian.Uint32(data[16:]))
		text := strings.Replace(string(data[24:24+n]), edit[0], edit[1], 1)
		require.NotEqual(t, string(data[24:24+n]), text, what)
		again := append(bytes.Clone(data[:24]), text...)
		binary.LittleEndian.PutUint32(again[16:], uint32(len(text)))
		binary.LittleEndian.PutUint32(again[20:], crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
		again = append(again, make([]byte, max(int(first.Offset)-len(again), 0))...)
		again = append(again, data[first.Offset:]...)
		out := filepath.Join(t.TempDir(), "hostile.acap")
		require.NoError(t, os.WriteFile(out, again, 0o644))
		_, err = artifact.Open(out)
		require.ErrorIs(t, err, artifact.ErrMalformed, what)
	}
}

// TestBounds: whatever a file says, opening it takes no more than what is there allows.
func TestBounds(t *testing.T) {
	data, err := os.ReadFile(written(t, artifact.Options{}))
	require.NoError(t, err)
	open := func(path string) error {
		_, err := artifact.Open(path)
		return err
	}
	for what, damaged := range hostile.Variants(data, 60) {
		if err := hostile.Open(t, what, damaged, open); err != nil {
			require.ErrorIs(t, err, artifact.ErrMalformed, what)
		}
	}
	for what, text := range map[string]string{
		"many sections": `{"sections":[` + strings.Repeat("{},", 1_000_000) + "{}]}",
		"many groups":   `{"Division":[` + strings.Repeat("{},", 1_000_000) + "{}]}",
		"many strings":  `{"blobs":[` + strings.Repeat("1,", 1_500_000) + "1]}",
		"many inputs":   `{"inputs":[` + strings.Repeat(`"",`, 1_000_000) + `""]}`,
		"deep":          `{"Config":` + strings.Repeat("[", 2<<20) + "}",
		"long text":     `{"Model":"` + strings.Repeat("a", 2<<20) + `"}`,
		"too long":      `{"Model":"` + strings.Repeat("a", 40<<20) + `"}`,
	} {
		file := append([]byte("ACAP artifact 1\n"), make([]byte, 8)...)
		binary.LittleEndian.PutUint32(file[16:], uint32(len(text)))
		binary.LittleEndian.PutUint32(file[20:], crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
		if err := hostile.Open(t, what, append(file, text...), open); err != nil { // some are sound, and empty
			require.ErrorIs(t, err, artifact.ErrMalformed, what)
		}
	}
	path := filepath.Join(t.TempDir(), "sparse.acap")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	if os.Truncate(path, 1<<40) == nil {
		require.Error(t, hostile.OpenFile(t, "sparse", path, open))
	}
}

// FuzzOpen: whatever a file holds, opening and loading it ends with a program or an error.
func FuzzOpen(f *testing.F) {
	path := written(f, artifact.Options{})
	data, err := os.ReadFile(path)
	require.NoError(f, err)
	f.Add(data)
	f.Add(data[:100])
	f.Add([]byte("ACAP artifact 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.acap")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		file, err := artifact.Open(path)
		if err != nil {
			return
		}
		if exe, _, err := file.Load(context.Background(), host.Device()); err == nil {
			exe.Close()
		}
	})
}

func Example() {
	module, err := mlir.Parse("square.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.mul.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "acap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "square.acap")
	if err := artifact.Write(context.Background(), path, module, artifact.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	exe, err := device.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer exe.Close()
	y, err := exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
	fmt.Println(buf.Slice[float32](y[0]), err)
	// Output: [1 4 9] <nil>
}
