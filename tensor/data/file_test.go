package data_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/data"
)

// idx writes an IDX file of bytes.
func idx(t *testing.T, path string, values []byte, extents ...uint32) {
	file := []byte{0, 0, 8, byte(len(extents))}
	for _, n := range extents {
		file = binary.BigEndian.AppendUint32(file, n)
	}
	require.NoError(t, os.WriteFile(path, append(file, values...), 0o644))
}

func TestMNIST(t *testing.T) {
	dir := t.TempDir()
	_, err := data.MNIST(dir, true)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotContains(t, err.Error(), ".gz", "the file that is missing is the plain one")
	idx(t, filepath.Join(dir, "train-images-idx3-ubyte"), []byte{0, 51, 102, 255, 1, 2}, 2, 1, 3)
	idx(t, filepath.Join(dir, "train-labels-idx1-ubyte"), []byte{7, 9}, 2)
	d, err := data.MNIST(dir, true)
	require.NoError(t, err)
	require.Equal(t, 2, d.Len())
	e, err := d.Example(0)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 3}, e[0].Shape)
	require.Equal(t, []float32{0, 0.2, 0.4}, buf.Slice[float32](e[0]))
	require.Equal(t, []int64{7}, buf.Slice[int64](e[1]))
	require.Empty(t, e[1].Shape)
	plain := filepath.Join(dir, "train-labels-idx1-ubyte")
	text, err := os.ReadFile(plain)
	require.NoError(t, err)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(plain+".gz", packed.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(plain, text[:3], 0o644))
	_, err = data.MNIST(dir, true)
	require.ErrorContains(t, err, plain+": ", "a damaged file is not replaced by a packed one")
	require.NoError(t, os.Remove(plain))
	d, err = data.MNIST(dir, true)
	require.NoError(t, err)
	e, err = d.Example(1)
	require.NoError(t, err)
	require.Equal(t, []int64{9}, buf.Slice[int64](e[1]))
	require.NoError(t, os.WriteFile(plain+".gz", packed.Bytes()[:9], 0o644))
	_, err = data.MNIST(dir, true)
	require.ErrorContains(t, err, plain+".gz: ")
	idx(t, plain, []byte{7, 9, 1}, 3)
	_, err = data.MNIST(dir, true)
	require.ErrorContains(t, err, "no MNIST")
}

func TestCIFAR100(t *testing.T) {
	dir := t.TempDir()
	file := make([]byte, 2*(2+3*32*32))
	file[0], file[1], file[2] = 19, 99, 255 // the coarse and the fine class, the first pixel
	path := filepath.Join(dir, "train.bin")
	require.NoError(t, os.WriteFile(path, file, 0o644))
	d, err := data.CIFAR100(dir, true)
	require.NoError(t, err)
	e, err := d.Example(0)
	require.NoError(t, err)
	require.Equal(t, []int{3, 32, 32}, e[0].Shape)
	require.Equal(t, 1.0, e[0].Float64(0))
	require.Equal(t, int64(99), e[1].Int64(0))
	file[1] = 100
	_, _, err = data.ReadCIFAR100(bytes.NewReader(file))
	require.ErrorContains(t, err, "no class 100")
	_, err = data.CIFAR10(dir, false)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestImageFolder(t *testing.T) {
	dir := t.TempDir()
	_, err := data.ImageFolder(dir, 2, 2)
	require.ErrorContains(t, err, "no pictures")
	img := image.NewRGBA(image.Rect(0, 0, 4, 4))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	img.Set(0, 0, color.RGBA{R: 255, A: 255})
	for _, class := range []string{"dog", "cat"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, class), 0o755))
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		require.NoError(t, os.WriteFile(filepath.Join(dir, class, "1.png"), b.Bytes(), 0o644))
		b.Reset()
		require.NoError(t, jpeg.Encode(&b, img, nil))
		require.NoError(t, os.WriteFile(filepath.Join(dir, class, "2.JPG"), b.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, class, "notes.txt"), nil, 0o644))
	}
	d, err := data.ImageFolder(dir, 0, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"cat", "dog"}, d.Classes)
	require.Equal(t, 4, d.Len())
	e, err := d.Example(2)
	require.NoError(t, err)
	require.Equal(t, []int{3, 4, 4}, e[0].Shape)
	require.Equal(t, []float64{1, 0, 0}, []float64{e[0].Float64(0), e[0].Float64(16), e[0].Float64(32)})
	require.Equal(t, int64(1), e[1].Int64(0))

	d, err = data.ImageFolder(dir, 2, 3)
	require.NoError(t, err)
	require.Len(t, read(t, data.NewLoader(d, 4)), 1, "pictures of one size stack")

	require.NoError(t, os.WriteFile(d.Files[0], []byte("no picture"), 0o644))
	_, err = d.Example(0)
	require.ErrorContains(t, err, "1.png")
	// A header that claims 2³⁰ pixels.
	huge := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0, 0, 0x80, 0, 0, 0, 0x80, 0, 8, 6, 0, 0, 0)
	huge = binary.BigEndian.AppendUint32(huge, 0xe62c7e6f)
	require.NoError(t, os.WriteFile(d.Files[0], huge, 0o644))
	_, err = d.Example(0)
	require.Error(t, err)
	_, err = data.ImageFolder(dir, 1<<20, 1<<20)
	require.Error(t, err)
}

func TestCSV(t *testing.T) {
	table, err := data.ReadCSV(strings.NewReader("length,kind,width\n1.5, a ,2\n-3,b,4\n5,a,1e3\n"), "kind")
	require.NoError(t, err)
	require.Equal(t, []string{"length", "width"}, table.Columns)
	require.Equal(t, []string{"a", "b"}, table.Classes)
	require.Equal(t, []float32{1.5, 2, -3, 4, 5, 1000}, buf.Slice[float32](table.Arrays[0]))
	require.Equal(t, []int64{0, 1, 0}, buf.Slice[int64](table.Arrays[1]))

	table, err = data.ReadCSV(strings.NewReader("x,y\n1,2\n3,4\n"), "y")
	require.NoError(t, err)
	require.Equal(t, []float32{2, 4}, buf.Slice[float32](table.Arrays[1]))
	table, err = data.ReadCSV(strings.NewReader("x,y\n1,2\n3,4\n"), "")
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, table.Arrays[0].Shape)

	for text, want := range map[string]string{
		"":                "the file is empty",
		"y\n1\n":          "1 columns",
		"x,y\n1,2\n3\n":   "line 3",
		"x,y\n1,2\nz,4\n": `line 3, column 1: "z" is no number`,
		"x,z\n1,2\n":      `there is no column "y"; there is x, z`,
		"x,y\n\"1,2\n":    "csv",
	} {
		_, err := data.ReadCSV(strings.NewReader(text), "y")
		require.ErrorContains(t, err, want, "%q", text)
	}
}

func TestText(t *testing.T) {
	d, err := data.NewText("añb\na", 3)
	require.NoError(t, err)
	require.Equal(t, "\nabñ", string(d.Alphabet))
	require.Equal(t, 2, d.Len())
	e, err := d.Example(1)
	require.NoError(t, err)
	require.Equal(t, "ñb\n", d.Decode(buf.Slice[int64](e[0])))
	require.Equal(t, "b\na", d.Decode(buf.Slice[int64](e[1])))
	require.Equal(t, "\uFFFD\uFFFD", d.Decode([]int64{-1, 4}))
	_, err = d.Encode("ab?")
	require.ErrorContains(t, err, `'?' at byte 2`)
	for _, text := range []string{"", "abc", "ab\xffcdef"} {
		_, err := data.NewText(text, 3)
		require.Error(t, err, "%q", text)
	}
	path := filepath.Join(t.TempDir(), "t.txt")
	require.NoError(t, os.WriteFile(path, []byte("abab"), 0o644))
	_, err = data.LoadText(path, 9)
	require.ErrorContains(t, err, path+": ")
	d, err = data.LoadText(path, 2)
	require.NoError(t, err)
	require.Equal(t, 2, d.Len())
}

func ExampleReadCSV() {
	table, err := data.ReadCSV(strings.NewReader("petal,sepal,kind\n1,2,iris\n3,4,rose\n"), "kind")
	fmt.Println(table.Columns, table.Classes, table.Len(), err)
	// Output: [petal sepal] [iris rose] 2 <nil>
}
