package gguf

import (
	"fmt"
	"strings"
)

// The keys of a model in several files (gguf-split of llama.cpp): the number of a file from 0, how many files there
// are, and how many tensors they have together.
const (
	splitNumber  = "split.no"
	splitCount   = "split.count"
	splitTensors = "split.tensors.count"
)

// mostParts bounds the files of a model: their names have five digits.
const mostParts = 99999

// join opens the files behind the first one of a model in several, and adds their tensors. A file that is whole stays
// as it is.
func (f *File) join(path string) error {
	count, _ := f.Metadata[splitCount].(uint64)
	if count < 2 {
		return nil
	}
	name := func(i uint64) string { return fmt.Sprintf("-%05d-of-%05d.gguf", i+1, count) }
	number, _ := f.Metadata[splitNumber].(uint64)
	prefix, named := strings.CutSuffix(path, name(number))
	switch {
	case count > mostParts || number >= count:
		return fmt.Errorf("%s: file %d of %d of a model; there may be %d", path, number, count, mostParts)
	case number > 0 && named:
		return fmt.Errorf("%s: the file is number %d of %d of a model; open the first one, %s", path, number+1, count, prefix+name(0))
	case !named:
		return fmt.Errorf("%s: the file is number %d of %d of a model, and its name does not end in %s, by which the others are found", path, number+1, count, name(number))
	}
	for i := uint64(1); i < count; i++ {
		part, err := open(prefix + name(i))
		if err != nil {
			return fmt.Errorf("%s: file %d of %d of the model: %w", path, i+1, count, err)
		}
		f.parts = append(f.parts, part)
		if part.Metadata[splitNumber] != i || part.Metadata[splitCount] != count {
			return fmt.Errorf("%s: the file says that it is number %v of %v, counted from 0, and not %d of %d",
				part.name, part.Metadata[splitNumber], part.Metadata[splitCount], i, count)
		}
		for _, info := range part.infos {
			if _, twice := f.index[info.Name]; twice {
				return fmt.Errorf("%s: another file of the model has a tensor %q as well", part.name, info.Name)
			}
			f.index[info.Name] = len(f.infos)
			f.infos = append(f.infos, info)
		}
	}
	if want, ok := f.Metadata[splitTensors]; ok && fmt.Sprint(want) != fmt.Sprint(len(f.infos)) {
		return fmt.Errorf("%s: the files have %d tensors, and %s says %v", path, len(f.infos), splitTensors, want)
	}
	for _, key := range []string{splitNumber, splitCount, splitTensors} {
		delete(f.Metadata, key)
	}
	return nil
}
