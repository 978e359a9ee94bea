package npy_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/npy"
)

func TestArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	arrays := []npy.Array{{Name: "w", Data: buf.From([]float32{1, 2, 3, 4}, 2, 2)},
		{Name: "folder/b", Data: buf.From([]int64{-1}, 1)}, {Name: "empty", Data: buf.New(dtype.F64, []int{0, 3})}}
	require.NoError(t, npy.WriteArchiveFile(path, arrays))
	have, err := npy.ReadArchiveFile(path)
	require.NoError(t, err)
	require.Len(t, have, len(arrays))
	for i, a := range arrays {
		require.Equal(t, a.Name, have[i].Name)
		require.Equal(t, a.Data.Shape, have[i].Data.Shape)
		require.Equal(t, string(a.Data.Bytes()), string(have[i].Data.Bytes()))
	}
	require.ErrorContains(t, npy.WriteArchive(&bytes.Buffer{}, append(arrays, arrays[0])), `two arrays are named "w"`)
	require.ErrorContains(t, npy.WriteArchive(&bytes.Buffer{}, []npy.Array{{Name: "h", Data: buf.New(dtype.BF16, nil)}}),
		`npz: "h": npy: the format has no bfloat16`)
}

// packed is a compressed archive of one member.
func packed(t testing.TB, name string, body []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	require.NoError(t, err)
	_, err = w.Write(body)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestArchiveErrors(t *testing.T) {
	var one bytes.Buffer
	require.NoError(t, npy.Write(&one, buf.New(dtype.F32, []int{1 << 20})))
	defer buf.SetLimit(buf.SetLimit(1 << 20))
	for want, data := range map[string][]byte{
		"not an .npz file":              nil,
		"a member of an archive is":     packed(t, "a.txt", nil),
		`npz: "a.npy": npy: byte 0`:     packed(t, "a.npy", []byte("no array")),
		"needs 4 MiB of memory":         packed(t, "a.npy", one.Bytes()), // of some kilobytes
		"needs 64 bytes, the file ends": packed(t, "a.npy", append([]byte("\x93NUMPY\x01\x00\x3a\x00"), fmt.Sprintf("%-58s", "{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }")...)),
	} {
		_, err := npy.ReadArchive(bytes.NewReader(data), int64(len(data)))
		require.ErrorContains(t, err, want)
	}
	_, err := npy.ReadArchiveFile(filepath.Join(t.TempDir(), "none"))
	require.True(t, errors.Is(err, os.ErrNotExist))
}

func FuzzReadArchive(f *testing.F) {
	var b bytes.Buffer
	require.NoError(f, npy.WriteArchive(&b, []npy.Array{{Name: "w", Data: buf.From([]float32{1, 2}, 2)}}))
	f.Add(b.Bytes())
	var one bytes.Buffer
	require.NoError(f, npy.Write(&one, buf.New(dtype.F32, []int{100})))
	f.Add(packed(f, "a.npy", one.Bytes()))
	f.Fuzz(func(t *testing.T, data []byte) {
		arrays, err := npy.ReadArchive(bytes.NewReader(data), int64(len(data)))
		if err == nil {
			require.NoError(t, npy.WriteArchive(&bytes.Buffer{}, arrays))
		}
	})
}

func ExampleReadArchiveFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.npz")
	if err := npy.WriteArchiveFile(path, []npy.Array{{Name: "x", Data: buf.From([]float32{1, 2}, 2)}}); err != nil {
		panic(err)
	}
	arrays, err := npy.ReadArchiveFile(path)
	fmt.Printf("%s %#v %v\n", arrays[0].Name, arrays[0].Data, err)
	// Output: x buf f32[2] <nil>
}
