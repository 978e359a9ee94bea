package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Load returns the machine of a file in JSON, for names that end in .json, and
// the preset of any other name. A name of no preset is an error, and so is a file that [Read] refuses; the error names
// the file.
func Load(name string) (*Machine, error) {
	if !strings.EqualFold(filepath.Ext(name), ".json") {
		return Preset(name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
