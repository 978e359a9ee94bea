package mapped_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/mapped"
)

// A file is read where the system keeps it.
func Example() {
	dir, err := os.MkdirTemp("", "mapped")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "words")
	if err := os.WriteFile(path, []byte("one two three"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	data, err := mapped.File(file, 13)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", data[4:7])
	fmt.Println(mapped.Unmap(data))
	// Output:
	// two
	// <nil>
}
