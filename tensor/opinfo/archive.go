package opinfo

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Suite is a set of families: the families of one archive, or of a directory and the archives in the directory.
type Suite struct {
	dir      string
	families []string
	archived map[string][]*Program
}

// Open opens a directory, or an archive (.tar.gz). A path that is not there is an error, and so is an archive or a line
// in it that cannot be read.
func Open(path string) (*Suite, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	s := &Suite{dir: path}
	if !info.IsDir() {
		s.archived, err = readArchive(path)
		s.families = slices.Sorted(maps.Keys(s.archived))
		return s, err
	}
	archives, err := filepath.Glob(filepath.Join(path, "*.tar.gz"))
	if err != nil {
		return nil, err
	}
	s.archived = map[string][]*Program{}
	for _, a := range archives {
		families, err := readArchive(a)
		if err != nil {
			return nil, err
		}
		for name, programs := range families { // which may be in several
			s.archived[name] = append(s.archived[name], programs...)
		}
	}
	files, err := families(path)
	if err != nil && len(archives) == 0 {
		return nil, err
	}
	s.families = append(files, slices.Collect(maps.Keys(s.archived))...)
	slices.Sort(s.families)
	return s, nil
}

// Families lists the names of the families, sorted.
func (s *Suite) Families() []string { return s.families }

// Programs reads the programs of a family. A family that is not there is an error, and so is a line that cannot be
// read.
func (s *Suite) Programs(family string) ([]*Program, error) {
	if p := s.archived[family]; p != nil {
		return p, nil
	}
	return readFamily(s.dir, family)
}

// All reads the programs of all families. Errors are those of [Suite.Programs].
func (s *Suite) All() ([]*Program, error) {
	var all []*Program
	for _, name := range s.families {
		p, err := s.Programs(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p...)
	}
	return all, nil
}

// readArchive reads a compressed archive of families.
func readArchive(path string) (map[string][]*Program, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zip, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, data := map[string][]byte{}, map[string][]byte{}
	for r := tar.NewReader(zip); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if name, ok := strings.CutSuffix(h.Name, ".jsonl"); ok {
			text[name] = content
		} else {
			data[strings.TrimSuffix(h.Name, ".bin")] = content
		}
	}
	families := map[string][]*Program{}
	for _, name := range slices.Sorted(maps.Keys(text)) {
		if families[name], err = Read(bytes.NewReader(text[name]), data[name], name+".jsonl"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return families, nil
}
