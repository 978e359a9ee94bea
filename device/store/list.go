package store

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/base/atomicfile"
)

// Entry is a file of a store.
type Entry struct {
	File    string    `json:"file"`
	Bytes   int64     `json:"bytes"`
	Used    time.Time `json:"used"` // within an hour
	Version string    `json:"version,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Key     string    `json:"key,omitempty"`
	// Title says what the entry is of: a function or a kernel with its shapes, and the line it is from.
	Title string `json:"title,omitempty"`
	// Problem says why the entry is not used; empty if it is.
	Problem string `json:"problem,omitempty"`

	payload []byte
}

// List returns the entries, those used last first, and what is wrong with each. A folder that cannot be read is an
// error, and one that does not exist has no entries.
func (s *Store) List() ([]Entry, error) {
	files, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), suffix) {
			continue
		}
		e, err := s.read(filepath.Join(s.dir, f.Name()))
		switch {
		case e == nil:
			continue // gone meanwhile
		case err != nil:
			e.Problem = err.Error()
		case e.Version != s.version:
			e.Problem = "written by another version"
		case filepath.Base(s.path(e.Kind, e.Key)) != e.File:
			e.Problem = "under the name of another entry"
		}
		e.payload = nil
		list = append(list, *e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Or(b.Used.Compare(a.Used), strings.Compare(a.File, b.File)) })
	return list, nil
}

// trim removes the entries used longest ago until the rest is within the limit, without reading them.
func (s *Store) trim() {
	s.removeAbandoned()
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(f.Name(), suffix) {
			infos = append(infos, info)
		}
	}
	slices.SortStableFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var total int64
	for _, info := range infos {
		if total += info.Size(); total > s.limit {
			total -= info.Size()
			_ = os.Remove(filepath.Join(s.dir, info.Name())) // what cannot be removed stays
		}
	}
}

// removeAbandoned removes what killed processes have left of entries.
func (s *Store) removeAbandoned() (files int, bytes int64) {
	return atomicfile.RemoveAbandoned(s.dir, func(name string) bool { return strings.HasSuffix(name, suffix) })
}

// GC removes entries that are of no use, what killed processes have left, and the entries used longest ago until the
// rest is within the limit. It returns how many files it removed and their bytes. Errors are those of [Store.List].
func (s *Store) GC() (files int, bytes int64, err error) {
	list, err := s.List()
	if err != nil {
		return 0, 0, err
	}
	files, bytes = s.removeAbandoned()
	var total int64
	for _, e := range list {
		// Another version may be in use by another process: it stays while there is room.
		keep := e.Problem == "" || e.Version != "" && e.Version != s.version
		if keep && total+e.Bytes <= s.limit {
			total += e.Bytes
			continue
		}
		if os.Remove(filepath.Join(s.dir, e.File)) == nil {
			files, bytes = files+1, bytes+e.Bytes
		}
	}
	return files, bytes, nil
}
