package store

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"sync"
)

// Version identifies the running program: entries of another one are not used. It is the
// build's identifier where the executable has one, else its size and time.
var Version = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return runtime.Version()
	}
	if id := buildID(path); id != "" {
		return id
	}
	info, err := os.Stat(path)
	if err != nil {
		return runtime.Version()
	}
	return fmt.Sprint(runtime.Version(), info.Size(), info.ModTime().UnixNano())
})

// buildID reads the identifier that the Go linker writes to ELF files.
func buildID(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	s := f.Section(".note.go.buildid")
	if s == nil {
		return ""
	}
	data, err := s.Data()
	if err != nil || len(data) < 17 || !bytes.Equal(data[12:16], []byte("Go\x00\x00")) {
		return ""
	}
	id := bytes.TrimRight(data[16:], "\x00")
	if bytes.IndexByte(id, '/') < 0 {
		return hex.EncodeToString(id)
	}
	return string(id)
}
