package explorer

import (
	"archive/zip"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/inputfile"
)

// around is how many lines are shown before and after the line of a call.
const around = 4

// mostLine bounds the text of a line.
const mostLine = 300

// addSources collects the lines that calls come from.
func (m *Model) addSources(read func(file string) []byte) {
	if read == nil {
		return
	}
	files := map[string][]string{}
	for _, c := range m.Calls {
		if c.File == "" {
			continue
		}
		lines, known := files[c.File]
		if !known {
			if text := read(c.File); text != nil {
				lines = strings.Split(string(text), "\n")
			}
			files[c.File] = lines
		}
		for n := max(1, c.Line-around); n <= min(len(lines), c.Line+around); n++ {
			if m.Sources[c.File] == nil {
				m.Sources[c.File] = map[int]string{}
			}
			line := strings.TrimRight(lines[n-1], "\r")
			if len(line) > mostLine {
				line = line[:mostLine]
			}
			m.Sources[c.File][n] = strings.ToValidUTF8(line, "?")
		}
	}
}

// mostEntries bounds the files that are searched for a source.
const mostEntries = 50000

// mostSource bounds the bytes of a source.
const mostSource = 4 << 20

// SourceTree finds sources in a folder and below it: by the name that a location has, and
// by the last part of it. Recorded programs name files without their folders; a name that several
// files have is not found.
func SourceTree(dir string) func(file string) []byte {
	index := sync.OnceValue(func() map[string][]string {
		files, entries := map[string][]string{}, 0
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			entries++
			switch {
			case entries > mostEntries:
				return fs.SkipAll
			case err != nil:
				return nil // what cannot be read has no sources
			case d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return fs.SkipDir
			case d.Type().IsRegular() && (strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".py")):
				files[d.Name()] = append(files[d.Name()], path)
			}
			return nil
		})
		return files
	})
	return func(file string) []byte {
		if found := index()[filepath.Base(file)]; len(found) == 1 {
			return readSource(found[0])
		}
		return nil
	}
}

// readSource reads a file that is no larger than a source, nil if it cannot.
func readSource(path string) []byte {
	f, _, err := inputfile.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	if err != nil || len(text) > mostSource {
		return nil
	}
	return text
}

// SourceArchive finds sources in a zip archive, such as the Python code of a TorchScript
// file, by the end of their paths.
func SourceArchive(path string) func(file string) []byte {
	return func(file string) []byte {
		archive, size, err := inputfile.Open(path)
		if err != nil {
			return nil
		}
		defer archive.Close()
		z, err := zip.NewReader(archive, size)
		if err != nil {
			return nil
		}
		for _, f := range z.File {
			if f.Name != file && !strings.HasSuffix(f.Name, "/"+file) || f.UncompressedSize64 > mostSource {
				continue
			}
			r, err := f.Open()
			if err != nil {
				return nil
			}
			defer r.Close()
			text, err := io.ReadAll(io.LimitReader(r, mostSource))
			if err != nil {
				return nil
			}
			return text
		}
		return nil
	}
}

// SourceFile finds a source that is a file of its own, such as a program in MLIR.
func SourceFile(path string) func(file string) []byte {
	return func(file string) []byte {
		if filepath.Base(file) != filepath.Base(path) {
			return nil
		}
		return readSource(path)
	}
}
