package data_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/data"
)

// FuzzReaders gives bytes to all that read data sets and pictures: each returns an error or data
// that fit together.
func FuzzReaders(f *testing.F) {
	var picture bytes.Buffer
	require.NoError(f, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 5, 3))))
	f.Add(picture.Bytes())
	f.Add([]byte("a,b,label\n1,2,x\n3,4,y\n"))
	f.Add([]byte("a;b\n\"1\n2\";NaN\n"))
	f.Add([]byte{0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 2, 7, 9})
	f.Add([]byte{0, 0, 13, 1, 0, 0, 0, 1, 0, 0, 128, 63})
	f.Add(make([]byte, 1+3*32*32))
	f.Add(make([]byte, 2+3*32*32))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		defer buf.SetLimit(buf.SetLimit(64 << 20))
		if b, err := data.ReadIDX(bytes.NewReader(text)); err == nil {
			require.LessOrEqual(t, len(b.Bytes()), len(text))
		}
		for _, read := range []func() (*buf.Buffer, *buf.Buffer, error){
			func() (*buf.Buffer, *buf.Buffer, error) { return data.ReadCIFAR10(bytes.NewReader(text)) },
			func() (*buf.Buffer, *buf.Buffer, error) { return data.ReadCIFAR100(bytes.NewReader(text)) },
		} {
			if images, labels, err := read(); err == nil {
				require.Equal(t, images.Shape[0], labels.Shape[0])
			}
		}
		for _, target := range []string{"", "b", "label"} {
			table, err := data.ReadCSV(bytes.NewReader(text), target)
			if err != nil {
				continue
			}
			for i := range min(table.Len(), 3) {
				_, err := table.Example(i)
				require.NoError(t, err)
			}
		}
		if all, err := data.NewText(string(text), 3); err == nil {
			for i := range min(all.Len(), 3) {
				_, err := all.Example(i)
				require.NoError(t, err)
			}
		}
		path := filepath.Join(dir, "picture")
		require.NoError(t, os.WriteFile(path, text, 0o644))
		if b, err := data.ReadGray(path); err == nil {
			require.Len(t, b.Shape, 4)
		}
	})
}
