package data_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
)

func TestIDX(t *testing.T) {
	words := []byte{0, 0, 0x0c, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 2, 0xff, 0xff, 0xff, 0xfe}
	b, err := data.ReadIDX(bytes.NewReader(words))
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, b.Shape)
	require.Equal(t, []int32{258, -2}, buf.Slice[int32](b))
	for n := range words {
		_, err := data.ReadIDX(bytes.NewReader(words[:n]))
		require.Error(t, err, n)
	}
	_, err = data.ReadIDX(bytes.NewReader(append(words, 0)))
	require.ErrorContains(t, err, "more than the 8 bytes")

	path := filepath.Join(t.TempDir(), "words.gz")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(words)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o644))
	b, err = data.LoadIDX(path)
	require.NoError(t, err)
	require.Equal(t, []int32{258, -2}, buf.Slice[int32](b))
}

// A header that claims much does not make memory for it.
func TestIDXClaims(t *testing.T) {
	for _, text := range []string{
		"\x00\x00\x08\x01\x7f\xff\xff\xff", "\x00\x00\x0e\x02\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x00\x00\x07\x01\x00\x00\x00\x01x", "\x01\x00\x08\x01\x00\x00\x00\x01x",
		"\x00\x00\x08\x01\x00\x00\x00\x00",
	} {
		_, err := data.ReadIDX(bytes.NewReader([]byte(text)))
		require.Error(t, err, "%x", text)
	}
	_, err := data.ReadIDX(bytes.NewReader([]byte("\x00\x00\x08\x01\x7f\xff\xff\xff")))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestCIFAR10(t *testing.T) {
	const record = 1 + 3*32*32
	file := make([]byte, 2*record)
	file[0], file[record] = 3, 9
	file[1], file[2*record-1] = 17, 18 // the first and the last pixel
	path := filepath.Join(t.TempDir(), "batch.bin")
	require.NoError(t, os.WriteFile(path, file, 0o644))
	images, labels, err := data.LoadCIFAR10(path)
	require.NoError(t, err)
	require.Equal(t, []int{2, 3, 32, 32}, images.Shape)
	require.Equal(t, []int64{3, 9}, buf.Slice[int64](labels))
	pixels := buf.Slice[uint8](images)
	require.Equal(t, []uint8{17, 18}, []uint8{pixels[0], pixels[len(pixels)-1]})

	for _, n := range []int{0, 1, record - 1, record + 1} {
		_, _, err := data.ReadCIFAR10(bytes.NewReader(file[:n]))
		require.ErrorContains(t, err, "records of 3073")
	}
	file[record] = 10
	_, _, err = data.ReadCIFAR10(bytes.NewReader(file))
	require.ErrorContains(t, err, "record 1: there is no class 10")
}

func ExampleReadIDX() {
	file := []byte{0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4} // u8 [2 2]
	b, err := data.ReadIDX(bytes.NewReader(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	t := tensor.FromBuffer(b)
	fmt.Println(t.Shape(), t.Sum().Item())
	// Output: [2 2] 10
}
