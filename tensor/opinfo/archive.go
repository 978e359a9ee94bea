package opinfo

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// ReadArchive reads a compressed archive (.tar.gz) of families.
func ReadArchive(path string) (map[string][]*Program, error) {
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
	for name := range text {
		if families[name], err = Read(bytes.NewReader(text[name]), data[name], name+".jsonl"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return families, nil
}
