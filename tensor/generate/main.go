package main

import (
	"go/format"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	for _, f := range generated() {
		source, err := f.text()
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(f.path, source, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// file is what is generated under a path.
type file struct {
	path  string
	write func() []byte
	isGo  bool
}

func (f file) text() ([]byte, error) {
	if f.isGo {
		return format.Source(f.write())
	}
	return f.write(), nil
}

// generated lists the files, with paths as seen from package tensor.
func generated() []file {
	return []file{
		{"zmethods.go", methods, true},
		{"zoptions.go", options, true},
		{"zdoc.go", families, true},
		{"../docs/ops.md", page, false},
		{"../ops/README.md", index, false},
	}
}
