package machine

import (
	"os"
	"path/filepath"
	"strings"
)

// Load returns the machine of a file in JSON, for names that end in .json, and
// the preset of any other name.
func Load(name string) (*Machine, error) {
	if !strings.EqualFold(filepath.Ext(name), ".json") {
		return Preset(name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}
