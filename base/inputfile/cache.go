package inputfile

import (
	"fmt"
	"path/filepath"
)

// InCache is the error of a folder that lacks a file. Where the folder is one of Hugging Face's cache, "models--NAME",
// whose folders of files lie in snapshots, it says so.
func InCache(dir string, err error) error {
	if s, _ := filepath.Glob(filepath.Join(dir, "snapshots", "*")); len(s) > 0 {
		return fmt.Errorf("%w; the folder is a cache of Hugging Face's tools: name a snapshot in it, such as %s", err, s[0])
	}
	return err
}
