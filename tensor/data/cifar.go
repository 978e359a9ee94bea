package data

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
)

// cifarPixels are the red, green and blue planes of 32 × 32 bytes.
const cifarPixels = 3 * 32 * 32

// cifar is a binary version of CIFAR: a record is some labels and the pixels
// (www.cs.toronto.edu/~kriz/cifar.html).
type cifar struct {
	labels  int
	classes int // of the last label, which is the one that is used
}

var cifar10, cifar100 = cifar{1, 10}, cifar{2, 100}

// CIFAR10 returns the dataset in a folder with the files data_batch_1.bin to
// data_batch_5.bin, or test_batch.bin: a picture, float32 [3 32 32] from 0 to 1, and its
// class, int64. An error names the file that is missing or no such file.
func CIFAR10(dir string, train bool) (Dataset, error) {
	files := []string{"test_batch.bin"}
	if train {
		files = nil
		for i := 1; i <= 5; i++ {
			files = append(files, fmt.Sprintf("data_batch_%d.bin", i))
		}
	}
	return cifar10.dataset(dir, files)
}

// CIFAR100 returns the dataset in a folder with the files train.bin and test.bin, as
// [CIFAR10] does; the class is the fine one of 100. An error names the file that is missing or no such file.
func CIFAR100(dir string, train bool) (Dataset, error) {
	if train {
		return cifar100.dataset(dir, []string{"train.bin"})
	}
	return cifar100.dataset(dir, []string{"test.bin"})
}

func (c cifar) dataset(dir string, files []string) (Dataset, error) {
	var parts []Dataset
	for _, f := range files {
		images, labels, err := c.load(filepath.Join(dir, f))
		if err != nil {
			return nil, err
		}
		parts = append(parts, Arrays{images, labels})
	}
	return Map(Concat(parts...), Unit), nil
}

// LoadCIFAR10 reads a file such as data_batch_1.bin; see [ReadCIFAR10]. Errors name the file.
func LoadCIFAR10(path string) (images, labels *buf.Buffer, err error) { return cifar10.load(path) }

// ReadCIFAR10 reads the records of CIFAR-10's binary version to the end: the pictures as u8 [N 3 32 32] and the labels,
// 0 to 9, as i64 [N]. A record that is cut short is an error, and so is a greater label.
func ReadCIFAR10(r io.Reader) (images, labels *buf.Buffer, err error) { return cifar10.read(r) }

// LoadCIFAR100 reads a file such as train.bin; see [ReadCIFAR100]. Errors name the file.
func LoadCIFAR100(path string) (images, labels *buf.Buffer, err error) { return cifar100.load(path) }

// ReadCIFAR100 is [ReadCIFAR10] for CIFAR-100; the labels are the fine ones, 0 to 99. Errors are those of
// [ReadCIFAR10].
func ReadCIFAR100(r io.Reader) (images, labels *buf.Buffer, err error) { return cifar100.read(r) }

func (c cifar) load(path string) (images, labels *buf.Buffer, err error) {
	file, _, err := inputfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if images, labels, err = c.read(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return images, labels, nil
}

func (c cifar) read(r io.Reader) (images, labels *buf.Buffer, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("cifar: %w", err)
	}
	size := c.labels + cifarPixels
	if len(data) == 0 || len(data) > maxBytes || len(data)%size != 0 {
		return nil, nil, fmt.Errorf("cifar: %d bytes are not records of %d", len(data), size)
	}
	n := len(data) / size
	images = buf.New(dtype.U8, []int{n, 3, 32, 32})
	labels = buf.New(dtype.I64, []int{n})
	pixels, classes := images.Bytes(), buf.Slice[int64](labels)
	for i := range n {
		record := data[i*size:][:size]
		class := record[c.labels-1]
		if int(class) >= c.classes {
			return nil, nil, fmt.Errorf("cifar: record %d: there is no class %d", i, class)
		}
		classes[i] = int64(class)
		copy(pixels[i*cifarPixels:], record[c.labels:])
	}
	return images, labels, nil
}
