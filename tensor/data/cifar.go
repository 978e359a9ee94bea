package data

import (
	"fmt"
	"io"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/inputfile"
	"github.com/go-acap/acap/tensor/dtype"
)

// A record of CIFAR-10's binary version is a label and the red, green and blue
// planes of 32 × 32 bytes (www.cs.toronto.edu/~kriz/cifar.html).
const (
	cifarPixels = 3 * 32 * 32
	cifarRecord = 1 + cifarPixels
)

// LoadCIFAR10 reads a file such as data_batch_1.bin; see [ReadCIFAR10].
func LoadCIFAR10(path string) (images, labels *buf.Buffer, err error) {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if images, labels, err = ReadCIFAR10(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return images, labels, nil
}

// ReadCIFAR10 reads the records of CIFAR-10's binary version to the end: the
// pictures as u8 [N 3 32 32] and the labels, 0 to 9, as i64 [N].
func ReadCIFAR10(r io.Reader) (images, labels *buf.Buffer, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("cifar: %w", err)
	}
	if len(data) == 0 || len(data) > maxBytes || len(data)%cifarRecord != 0 {
		return nil, nil, fmt.Errorf("cifar: %d bytes are not records of %d", len(data), cifarRecord)
	}
	n := len(data) / cifarRecord
	images = buf.New(dtype.U8, []int{n, 3, 32, 32})
	labels = buf.New(dtype.I64, []int{n})
	pixels, classes := images.Bytes(), buf.Slice[int64](labels)
	for i := range n {
		record := data[i*cifarRecord:][:cifarRecord]
		if record[0] > 9 {
			return nil, nil, fmt.Errorf("cifar: record %d: there is no class %d", i, record[0])
		}
		classes[i] = int64(record[0])
		copy(pixels[i*cifarPixels:], record[1:])
	}
	return images, labels, nil
}
