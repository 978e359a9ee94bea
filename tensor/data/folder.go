package data

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/picture"
)

// maxFiles bounds the pictures of a folder.
const maxFiles = 1 << 24

// Folder is a dataset of pictures whose class is the folder they lie in. Example i is the
// picture, float32 [3 H W] from 0 to 1, and its class, int64. Pictures are read when they
// are asked for.
type Folder struct {
	Classes []string // the names of the folders, sorted
	Files   []string // the paths of the pictures, by class and name
	Labels  []int    // the class of each

	// Height and Width are the size that pictures are scaled to; 0 leaves them as they are.
	Height, Width int
}

// ImageFolder lists the pictures ([IsPicture]) in the folders of a folder: one
// folder for each class. Each is scaled to a size in pixels; two zeros leave pictures as they are. A negative size and
// folders without pictures are errors.
func ImageFolder(dir string, height, width int) (*Folder, error) {
	if height < 0 || width < 0 || height*width > picture.MaxPixels || (height == 0) != (width == 0) {
		return nil, fmt.Errorf("data: %d x %d is no size of pictures", height, width)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{Height: height, Width: width}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		inside, err := os.ReadDir(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		for _, file := range inside {
			if file.IsDir() || !IsPicture(file.Name()) {
				continue
			}
			f.Files = append(f.Files, filepath.Join(dir, e.Name(), file.Name()))
			f.Labels = append(f.Labels, len(f.Classes))
		}
		if len(f.Files) > maxFiles {
			return nil, fmt.Errorf("%s: more than %d pictures", dir, maxFiles)
		}
		f.Classes = append(f.Classes, e.Name())
	}
	if len(f.Files) == 0 {
		return nil, fmt.Errorf("%s: no pictures in folders, one folder a class", dir)
	}
	return f, nil
}

// Len returns the number of examples.
func (f *Folder) Len() int { return len(f.Files) }

// Example returns example i, as described above. An index outside of 0 to Len()-1 is an error, and so is a file that
// cannot be read or is no picture.
func (f *Folder) Example(i int) (Example, error) {
	if i < 0 || i >= f.Len() {
		return nil, rangeError(i, f.Len())
	}
	img, err := readImage(f.Files[i])
	if err != nil {
		return nil, err
	}
	if f.Height > 0 {
		img = scale(img, f.Height, f.Width)
	}
	return Example{Color(img), buf.From([]int64{int64(f.Labels[i])})}, nil
}
