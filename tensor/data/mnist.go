package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// MNIST returns the dataset in a folder with the files train-images-idx3-ubyte and
// train-labels-idx1-ubyte, or t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, with or
// without ".gz": a picture, float32 [1 28 28] from 0 to 1, and its class, int64. Sets of
// the same form, such as Fashion-MNIST, are read as well; the pictures may have any size. An error names the file that
// is missing or no IDX file; other types and shapes than those of MNIST are an error as well.
func MNIST(dir string, train bool) (Dataset, error) {
	part := "t10k"
	if train {
		part = "train"
	}
	images, err := loadPlainOrPacked(filepath.Join(dir, part+"-images-idx3-ubyte"))
	if err != nil {
		return nil, err
	}
	labels, err := loadPlainOrPacked(filepath.Join(dir, part+"-labels-idx1-ubyte"))
	if err != nil {
		return nil, err
	}
	if images.DType != dtype.U8 || len(images.Shape) != 3 || labels.DType != dtype.U8 || len(labels.Shape) != 1 ||
		labels.Shape[0] != images.Shape[0] {
		return nil, fmt.Errorf("%s: pictures %v%s and labels %v%s are no MNIST", dir, images.DType,
			shape.String(images.Shape), labels.DType, shape.String(labels.Shape))
	}
	s := images.Shape
	return Map(Arrays{images.Reshape([]int{s[0], 1, s[1], s[2]}), labels.Cast(dtype.I64)}, Unit), nil
}

// loadPlainOrPacked reads an IDX file, or the one with ".gz" if there is none.
func loadPlainOrPacked(path string) (*buf.Buffer, error) {
	b, err := LoadIDX(path)
	if errors.Is(err, fs.ErrNotExist) {
		if packed, err := LoadIDX(path + ".gz"); !errors.Is(err, fs.ErrNotExist) {
			return packed, err
		}
	}
	return b, err
}
